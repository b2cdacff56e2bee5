// Starts the servers of Nutshell, and shows the counterexample of a check.
const vscode = require('vscode')
const { LanguageClient } = require('vscode-languageclient/node')

let client

function program() {
  return vscode.workspace.getConfiguration('nutshell').get('path')
}

// A counterexample is a document of its own, which no file stands behind.
const traces = new Map()
const shows = {
  provideTextDocumentContent: uri => traces.get(uri.toString()) || ''
}

async function show(result) {
  if (!result || !result.trace) return
  const uri = vscode.Uri.parse('nutshell-trace:counterexample-' + traces.size + '.txt')
  traces.set(uri.toString(), result.trace)
  const document = await vscode.workspace.openTextDocument(uri)
  await vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.Beside, preview: true })
}

function activate(context) {
  const seconds = vscode.workspace.getConfiguration('nutshell').get('seconds')
  client = new LanguageClient('nutshell', 'Nutshell',
    { command: program(), args: ['lsp'] },
    {
      documentSelector: [{ language: 'promela' }, { language: 'dve' }],
      initializationOptions: { seconds },
      middleware: {
        async executeCommand(command, words, next) {
          const result = await next(command, words)
          await show(result)
          return result
        }
      }
    })
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider('nutshell-trace', shows),
    vscode.commands.registerCommand('nutshell.checkModel', () => {
      const editor = vscode.window.activeTextEditor
      if (editor)
        vscode.commands.executeCommand('nutshell.check',
          editor.document.uri.toString())
    }),
    vscode.debug.registerDebugAdapterDescriptorFactory('nutshell', {
      createDebugAdapterDescriptor: () =>
        new vscode.DebugAdapterExecutable(program(), ['dap'])
    }))
  return client.start()
}

function deactivate() {
  return client && client.stop()
}

module.exports = { activate, deactivate }
