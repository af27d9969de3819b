-- Asks the attached server what the suite wants to know and writes the answers to $DOTRPC_ANSWERS as JSON. Nothing is waited
-- for longer than $DOTRPC_PATIENCE milliseconds.
local answers = {}
local patience = tonumber(vim.env.DOTRPC_PATIENCE)

local function ask(method, params)
  local replies = vim.lsp.buf_request_sync(0, method, params, patience) or {}
  for _, reply in pairs(replies) do
    return reply.result or reply.error
  end
end

local function at(line, character)
  return { textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = line, character = character } }
end

local ok, problem = pcall(function()
  vim.wait(patience, function() return #vim.diagnostic.get(0) > 0 end, 50)
  answers.filetype = vim.bo.filetype
  answers.diagnostics = vim.tbl_map(function(found)
    return { line = found.lnum, column = found.col, code = found.code, message = found.message, source = found.source }
  end, vim.diagnostic.get(0))
  answers.completion = ask("textDocument/completion", at(2, 16))
  answers.hover = ask("textDocument/hover", at(2, 3))
  answers.definition = ask("textDocument/definition", at(4, 30))
  answers.links = ask("textDocument/documentLink", at(0, 0))
  local rename = at(4, 30)
  rename.newName = "all"
  answers.rename = ask("textDocument/rename", rename)
  local actions = at(0, 0)
  actions.range = { start = { line = 2, character = 18 }, ["end"] = { line = 2, character = 18 } }
  actions.context = { diagnostics = {} }
  answers.actions = ask("textDocument/codeAction", actions)
  local format = at(0, 0)
  format.options = { tabSize = 2, insertSpaces = true }
  answers.formatting = ask("textDocument/formatting", format)
end)

answers.problem = not ok and tostring(problem) or nil
vim.fn.writefile({ vim.json.encode(answers) }, vim.env.DOTRPC_ANSWERS)
vim.cmd("qall!")
