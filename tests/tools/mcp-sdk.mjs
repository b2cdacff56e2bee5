// The official TypeScript SDK as a client of 'nutshell mcp': prints what each
// tool says, as JSON.
import { createRequire } from 'module'
const require = createRequire(process.env.NODE_PATH + '/')
const { Client } = require('@modelcontextprotocol/sdk/client/index.js')
const { StdioClientTransport } =
  require('@modelcontextprotocol/sdk/client/stdio.js')

const [program, folder, calls] = process.argv.slice(2)
const client = new Client({ name: 'test', version: '1' })
await client.connect(new StdioClientTransport(
  { command: program, args: ['mcp', folder] }))
const { tools } = await client.listTools()
const said = { server: client.getServerVersion(), tools, answers: [] }
for (const { name, arguments: given } of JSON.parse(calls)) {
  try {
    said.answers.push(await client.callTool({ name, arguments: given }))
  } catch (error) {
    said.answers.push({ refused: error.message })
  }
}
await client.ping()
await client.close()
console.log(JSON.stringify(said))
