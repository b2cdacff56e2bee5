// The extension for Visual Studio Code, as it is packed, without the editor:
//
//     node vscode-extension.cjs FOLDER-OF-THE-EXTENSION NUTSHELL WORK-FOLDER
//
// 'vscode' is a stand-in with what the extension and its client call.  It keeps
// what is registered, opens a document, and prints what the extension makes of
// it: diagnostics, a check by its command, the counterexample it shows.
'use strict'
const fs = require('fs')
const path = require('path')
const Module = require('module')
const [, , folder, program, work] = process.argv

class Disposable {
  constructor(end) { this.end = end }
  dispose() { if (this.end) this.end() }
}
class EventEmitter {
  constructor() {
    this.all = new Set()
    this.event = (call, self) => {
      const one = x => call.call(self, x)
      this.all.add(one)
      return new Disposable(() => this.all.delete(one))
    }
  }
  fire(x) { for (const one of [...this.all]) one(x) }
  dispose() { this.all.clear() }
}
class Position {
  constructor(line, character) { Object.assign(this, { line, character }) }
}
class Range {
  constructor(a, b, c, d) {
    this.start = a instanceof Position ? a : new Position(a, b)
    this.end = a instanceof Position ? b : new Position(c, d)
  }
}
class Uri {
  constructor(text) { this.text = text }
  static parse(text) { return new Uri(text) }
  static file(name) { return new Uri('file://' + name) }
  get scheme() { return this.text.split(':')[0] }
  get fsPath() { return this.text.replace('file://', '') }
  get path() { return this.fsPath }
  toString() { return this.text }
}
class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity })
  }
}
class CancellationTokenSource {
  constructor() {
    this.token = { isCancellationRequested: false,
      onCancellationRequested: () => new Disposable() }
  }
  cancel() {}
  dispose() {}
}

const made = { commands: new Map(), contents: new Map(), collections: [],
  shown: [], factories: new Map(), messages: [], selectors: [] }
const events = new Map()
const event = name => {
  if (!events.has(name)) events.set(name, new EventEmitter())
  return events.get(name)
}
// What is not named here is a function that does nothing, or a class.
const rest = (known, label) => new Proxy(known, {
  get(target, key) {
    if (key in target || typeof key === 'symbol') return target[key]
    if (/^on(Did|Will)/.test(key)) return event(label + key).event
    if (/^register/.test(key)) return () => new Disposable()
    if (/^[A-Z]/.test(key)) return target[key] = rest(class {}, key)
    return undefined
  }
})
const settings = { path: program, seconds: 60 }
const documents = []
const vscode = rest({
  version: '1.90.0', Disposable, EventEmitter, Position, Range, Uri, Diagnostic,
  CancellationTokenSource,
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  DiagnosticTag: { Unnecessary: 1, Deprecated: 2 },
  ViewColumn: { Beside: -2 },
  UIKind: { Desktop: 1, Web: 2 },
  TextDocumentChangeReason: {},
  DebugAdapterExecutable: class {
    constructor(command, words) { Object.assign(this, { command, words }) }
  },
  env: { appName: 'test', language: 'en', uiKind: 1 },
  extensions: { all: [], getExtension: () => undefined,
    onDidChange: event('extensions').event },
  l10n: { t: x => x },
  commands: rest({
    registerCommand: (name, call) => {
      made.commands.set(name, call)
      return new Disposable(() => made.commands.delete(name))
    },
    executeCommand: async (name, ...words) =>
      made.commands.has(name) ? made.commands.get(name)(...words) : undefined
  }, 'commands'),
  workspace: rest({
    textDocuments: documents, notebookDocuments: [], isTrusted: true,
    workspaceFolders: [{ uri: Uri.file(work), name: 'work', index: 0 }],
    getConfiguration: () => ({ get: key => settings[key], has: () => true,
      inspect: () => undefined }),
    getWorkspaceFolder: () => vscode.workspace.workspaceFolders[0],
    registerTextDocumentContentProvider: (scheme, provider) => {
      made.contents.set(scheme, provider)
      return new Disposable()
    },
    openTextDocument: async uri => ({ uri,
      getText: () => made.contents.get(uri.scheme)
        .provideTextDocumentContent(uri) }),
    createFileSystemWatcher: () => rest({ dispose() {} }, 'watcher')
  }, 'workspace'),
  window: rest({
    visibleTextEditors: [], activeTextEditor: undefined,
    tabGroups: { all: [], onDidChangeTabs: event('tabs').event },
    createOutputChannel: () => ({ append() {}, appendLine: x =>
      process.stderr.write(x + '\n'), show() {}, dispose() {}, clear() {} }),
    showTextDocument: async document => { made.shown.push(document.getText()) },
    showInformationMessage: async x => { made.messages.push(x) },
    showWarningMessage: async x => { made.messages.push(x) },
    showErrorMessage: async x => { made.messages.push(x) }
  }, 'window'),
  languages: rest({
    match: (selector, document) => [].concat(selector)
      .some(s => s.language === document.languageId) ? 10 : 0,
    createDiagnosticCollection: name => {
      const all = new Map()
      const collection = { name, all,
        set: (uri, list) => {
          all.set(uri.toString(), list)
          event('diagnostics').fire({ uri: uri.toString(), list })
        },
        delete: uri => all.delete(uri.toString()), clear: () => all.clear(),
        dispose() {} }
      made.collections.push(collection)
      return collection
    }
  }, 'languages'),
  debug: rest({
    registerDebugAdapterDescriptorFactory: (type, factory) => {
      made.factories.set(type, factory)
      return new Disposable()
    }
  }, 'debug'),
  notebooks: rest({}, 'notebooks'), tasks: rest({}, 'tasks')
}, 'vscode')

const load = Module._load
Module._load = (name, ...more) =>
  name === 'vscode' ? vscode : load(name, ...more)

function openDocument(name, languageId, text) {
  const lines = text.split('\n')
  const document = { uri: Uri.file(path.join(work, name)), languageId, version: 1,
    isClosed: false, fileName: path.join(work, name), getText: () => text,
    lineCount: lines.length, lineAt: i => ({ text: lines[i] }) }
  fs.writeFileSync(document.fileName, text)
  documents.push(document)
  return document
}

async function main() {
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json')))
  const extension = require(path.join(folder, manifest.main))
  const first = new Promise(resolve => event('diagnostics').event(resolve))
  const document = openDocument('m.pml', 'promela',
    'byte x;\nactive proctype P() { x = 300; y = 1 }\n')
  const context = { subscriptions: [] }
  await extension.activate(context)
  const found = await first
  console.log('diagnostics', found.list.length,
    found.list.map(d => d.message).join('; '))
  const good = openDocument('bad.pml', 'promela',
    'byte x;\nactive proctype P() { x = 1; assert(x == 2) }\n')
  event('workspaceonDidOpenTextDocument').fire(good)
  vscode.window.activeTextEditor = { document: good }
  await vscode.commands.executeCommand('nutshell.checkModel')
  for (let i = 0; i < 600 && !made.shown.length; i++)
    await new Promise(resolve => setTimeout(resolve, 100))
  console.log('shown', /assert/.test(made.shown[0] || ''))
  const adapter = made.factories.get('nutshell').createDebugAdapterDescriptor()
  console.log('debugger', adapter.command === program, adapter.words.join(' '))
  for (const command of manifest.contributes.commands)
    console.log('command', command.command, made.commands.has(command.command))
  for (const grammar of manifest.contributes.grammars)
    JSON.parse(fs.readFileSync(path.join(folder, grammar.path)))
  for (const language of manifest.contributes.languages)
    JSON.parse(fs.readFileSync(path.join(folder, language.configuration)))
  console.log('files', manifest.contributes.grammars.length)
  await extension.deactivate()
  console.log('ended')
}

main().then(() => process.exit(0), error => {
  console.log(error)
  process.exit(1)
})
