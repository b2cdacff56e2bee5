-- What an editor does with the language server: opened with a model whose line
-- 12 names a field that is not there.  Prints what it sees.
local function say(...) io.stdout:write(table.concat({...}, ' ') .. '\n') end

local function ask(client, method, more)
  local p = vim.tbl_extend('force', {
    textDocument = vim.lsp.util.make_text_document_params()}, more or {})
  local answer = client.request_sync(method, p, 60000, 0)
  return answer and answer.result, answer and answer.err
end

local id = vim.lsp.start_client({
  cmd = {os.getenv('NUTSHELL'), 'lsp'}, root_dir = vim.fn.getcwd()})
vim.lsp.buf_attach_client(0, id)
local client = vim.lsp.get_client_by_id(id)
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end)
say('diagnostic', vim.diagnostic.get(0)[1].lnum + 1)

-- As a user types.
vim.cmd('12s/kid/kind/')
vim.wait(60000, function() return #vim.diagnostic.get(0) == 0 end)

local at = {position = {line = 11, character = 13}}
local hover = ask(client, 'textDocument/hover', at)
say('hover', hover.contents.value:match('%d+%.%.%d+'))
say('definition', ask(client, 'textDocument/definition', at).range.start.line + 1)
local edit = ask(client, 'textDocument/rename',
  vim.tbl_extend('force', at, {newName = 'whose'}))
vim.lsp.util.apply_workspace_edit(edit, client.offset_encoding)
local whole = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
say('renamed', select(2, whole:gsub('whose', '')))
say('symbols', #ask(client, 'textDocument/documentSymbol'))
local lenses = ask(client, 'textDocument/codeLens')
local result = client.request_sync('workspace/executeCommand',
  lenses[1].command, 60000, 0)
say('verdict', result.result.verdict)
client.stop()
vim.cmd('qall!')
