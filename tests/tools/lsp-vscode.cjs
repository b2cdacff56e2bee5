// The language server as the protocol library of Visual Studio Code sees it.
const rpc = require('vscode-jsonrpc/node')
const lsp = require('vscode-languageserver-protocol')
const { spawn } = require('child_process')
const { pathToFileURL } = require('url')

const [program, folder] = process.argv.slice(2)
const uri = pathToFileURL(folder + '/m.pml').toString()
const model = `mtype = { idle, busy };
typedef Msg { byte kind; int value }
byte turn, flag[2];
chan q = [2] of { mtype, byte };
#define free (turn == 0)
inline enter(k) { flag[k] = 1 }
active proctype P(byte n)
{
  Msg m; byte x;
again:
  if
  :: free -> turn = 1; m.kid = 3; q!busy,x
  :: q?busy,x -> goto again
  fi
}
ltl safe { [] (flag[0] <= 1 && P@again) }
`

async function main() {
  const child = spawn(program, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const connection = rpc.createMessageConnection(
    new rpc.StreamMessageReader(child.stdout),
    new rpc.StreamMessageWriter(child.stdin))
  let told
  const first = new Promise(resolve => { told = resolve })
  connection.onNotification(lsp.PublishDiagnosticsNotification.type, p => told(p))
  connection.listen()
  await connection.sendRequest(lsp.InitializeRequest.type, {
    processId: process.pid, rootUri: pathToFileURL(folder).toString(),
    capabilities: {}, workspaceFolders: null })
  connection.sendNotification(lsp.InitializedNotification.type, {})
  connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: 'promela', version: 1, text: model } })
  const found = (await first).diagnostics
  console.log('diagnostics', found.length, found[0].range.start.line + 1)
  connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text: model.replace('kid', 'kind') }] })
  const at = { textDocument: { uri }, position: { line: 11, character: 14 } }
  const hover = await connection.sendRequest(lsp.HoverRequest.type, at)
  console.log('hover', hover.contents.value.includes('0..255'))
  const place = await connection.sendRequest(lsp.DefinitionRequest.type, at)
  console.log('definition', place.range.start.line)
  const edit = await connection.sendRequest(lsp.RenameRequest.type,
    { ...at, newName: 'whose' })
  console.log('rename', edit.changes[uri].length)
  const symbols = await connection.sendRequest(lsp.DocumentSymbolRequest.type,
    { textDocument: { uri } })
  console.log('symbols', symbols.length)
  const lenses = await connection.sendRequest(lsp.CodeLensRequest.type,
    { textDocument: { uri } })
  const result = await connection.sendRequest(lsp.ExecuteCommandRequest.type,
    lenses[0].command)
  console.log('verdict', result.verdict)
  await connection.sendRequest(lsp.ShutdownRequest.type)
  connection.sendNotification(lsp.ExitNotification.type)
  child.on('exit', code => {
    console.log('ended', code)
    process.exit(code)
  })
}

main()
