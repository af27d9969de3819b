import { Evm } from "@dotrpc/plugin-evm"
import type { PluginFunction } from "@dotrpc/spec"
import { afterEach, describe, expect, it } from "vitest"
import {
  CancellationTokenSource,
  CodeActionRequest,
  CompletionRequest,
  DefinitionRequest,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  DidCloseTextDocumentNotification,
  DidSaveTextDocumentNotification,
  DocumentDiagnosticRequest,
  DocumentFormattingRequest,
  DocumentHighlightRequest,
  DocumentOnTypeFormattingRequest,
  DocumentRangeFormattingRequest,
  DocumentSymbolRequest,
  FileChangeType,
  FoldingRangeRequest,
  HoverRequest,
  InlayHintRequest,
  PrepareRenameRequest,
  ReferencesRequest,
  RenameRequest,
  SelectionRangeRequest,
  SemanticTokensRangeRequest,
  SemanticTokensRequest,
  SignatureHelpRequest,
} from "vscode-languageserver/node"
import {
  applyEdits,
  brokenPlugin,
  deferred,
  canary,
  type Client,
  type ClientOptions,
  connect,
  file,
  type Files,
  makeHost,
  marked,
} from "./client.ts"

const open: Array<Client> = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()))
})

const start = async (options: ClientOptions = {}): Promise<Client> => {
  const client = await connect(options)
  open.push(client)
  return client
}

const textDocument = { uri: file }

/** A function that tells what it was given by failing. */
const failing: PluginFunction = {
  name: "fail",
  signature: "fail(value)",
  docs: "Fails.",
  call: ([value]) => {
    throw new Error(`cannot take ${String(value)}`)
  },
}

const snippets: ClientOptions = {
  capabilities: { textDocument: { completion: { completionItem: { snippetSupport: true } } } },
}

describe("capabilities", () => {
  it("are these", async () => {
    const { initialized } = await start()
    expect(initialized).toEqual({
      serverInfo: { name: "dotrpc", version: "1.2.3" },
      capabilities: {
        positionEncoding: "utf-16",
        textDocumentSync: { openClose: true, change: 2, save: { includeText: false } },
        notebookDocumentSync: { notebookSelector: [{ notebook: "dotrpc-notebook" }] },
        completionProvider: { triggerCharacters: ['"', ".", "$", "@", "{"] },
        hoverProvider: true,
        signatureHelpProvider: { triggerCharacters: ["(", ",", "["] },
        definitionProvider: true,
        referencesProvider: true,
        documentHighlightProvider: true,
        documentSymbolProvider: true,
        documentLinkProvider: {},
        codeActionProvider: { codeActionKinds: ["quickfix", "refactor.rewrite"] },
        documentFormattingProvider: true,
        documentRangeFormattingProvider: true,
        documentOnTypeFormattingProvider: { firstTriggerCharacter: "\n", moreTriggerCharacter: ["}", "]"] },
        renameProvider: { prepareProvider: true },
        foldingRangeProvider: true,
        selectionRangeProvider: true,
        semanticTokensProvider: {
          legend: {
            tokenTypes: [
              "namespace",
              "comment",
              "decorator",
              "variable",
              "property",
              "function",
              "method",
              "string",
              "number",
              "operator",
              "keyword",
            ],
            tokenModifiers: ["declaration", "readonly"],
          },
          full: true,
          range: true,
        },
        inlayHintProvider: true,
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    })
  })
  it("add diagnostics on request for a client that asks for them", async () => {
    const { initialized } = await start({ capabilities: { textDocument: { diagnostic: {} } } })
    expect(initialized.capabilities.diagnosticProvider).toEqual({
      interFileDependencies: true,
      workspaceDiagnostics: false,
    })
  })
})

describe("features", () => {
  const text =
    '@from = "0x1b4"\n### Logs\n# @name logs\neth_getLogs [{ "fromBlock": {{from}} }]\n?? result.length > hex(1)\n'

  it("complete with snippets, in the order of the service", async () => {
    const client = await start(snippets)
    const { position, text: unfinished } = marked('### 🎈\r\neth_getLogs [{ "fr|')
    await client.open(unfinished)
    const found = await client.connection.sendRequest(CompletionRequest.type, { textDocument, position })
    const items = Array.isArray(found) ? found : []
    expect(items.map((item) => item.label)).toEqual(["address", "fromBlock", "toBlock", "topics", "blockHash"])
    expect(items[1]).toEqual({
      label: "fromBlock",
      documentation: {
        kind: "markdown",
        value: "First block, included: a number in hex or a tag; `latest` when absent. Not with `blockHash`.",
      },
      kind: 10,
      detail: expect.stringContaining("optional · a block number in hex"),
      filterText: '"fromBlock"',
      sortText: "00001",
      insertTextFormat: 2,
      textEdit: {
        range: { start: { line: 1, character: 15 }, end: { line: 1, character: 18 } },
        newText: '"fromBlock": "$1"',
      },
    })
  })
  it("complete with plain text where snippets are not understood", async () => {
    const client = await start()
    const { position, text: unfinished } = marked("###\neth_getT|")
    await client.open(unfinished)
    const found = await client.connection.sendRequest(CompletionRequest.type, { textDocument, position })
    const item = (Array.isArray(found) ? found : []).find(({ label }) => label === "eth_getTransactionReceipt")
    expect(item).toMatchObject({
      kind: 2,
      detail: "~80 credits · What became of a transaction",
      textEdit: { newText: "eth_getTransactionReceipt" },
    })
    expect(item?.insertTextFormat).toBeUndefined()
  })
  it("hover", async () => {
    const client = await start()
    await client.open(text)
    expect(
      await client.connection.sendRequest(HoverRequest.type, { textDocument, position: { line: 3, character: 32 } }),
    ).toEqual({
      contents: { kind: "markdown", value: '**from**\n\n```json\n"0x1b4"\n```\n\n- decimal: `436`' },
      range: { start: { line: 3, character: 30 }, end: { line: 3, character: 34 } },
    })
    expect(
      await client.connection.sendRequest(HoverRequest.type, { textDocument, position: { line: 1, character: 5 } }),
    ).toBeNull()
  })
  it("help with signatures", async () => {
    const client = await start()
    await client.open(text)
    expect(
      await client.connection.sendRequest(SignatureHelpRequest.type, {
        textDocument,
        position: { line: 4, character: 23 },
      }),
    ).toMatchObject({
      signatures: [{ label: "hex(integer)", parameters: [{ label: [4, 11] }] }],
      activeSignature: 0,
      activeParameter: 0,
    })
  })
  it("find definitions, references and highlights", async () => {
    const client = await start()
    await client.open(text)
    const position = { line: 3, character: 32 }
    const definition = { start: { line: 0, character: 1 }, end: { line: 0, character: 5 } }
    const use = { start: { line: 3, character: 30 }, end: { line: 3, character: 34 } }
    const { connection } = client
    expect(await connection.sendRequest(DefinitionRequest.type, { textDocument, position })).toEqual({
      uri: file,
      range: definition,
    })
    expect(
      await connection.sendRequest(ReferencesRequest.type, {
        textDocument,
        position,
        context: { includeDeclaration: true },
      }),
    ).toEqual([definition, use].map((range) => ({ uri: file, range })))
    expect(
      await connection.sendRequest(ReferencesRequest.type, {
        textDocument,
        position,
        context: { includeDeclaration: false },
      }),
    ).toEqual([{ uri: file, range: use }])
    expect(await connection.sendRequest(DocumentHighlightRequest.type, { textDocument, position })).toEqual([
      { range: definition, kind: 3 },
      { range: use, kind: 2 },
    ])
  })
  it("rename, and say why not", async () => {
    const client = await start()
    await client.open(text)
    const position = { line: 0, character: 2 }
    const { connection } = client
    expect(await connection.sendRequest(PrepareRenameRequest.type, { textDocument, position })).toEqual({
      range: { start: { line: 0, character: 1 }, end: { line: 0, character: 5 } },
      placeholder: "from",
    })
    const edit = await connection.sendRequest(RenameRequest.type, { textDocument, position, newName: "first" })
    expect(applyEdits(text, edit?.changes?.[file] ?? [])).toBe(
      text.replaceAll("from}}", "first}}").replace("@from", "@first"),
    )
    await expect(
      connection.sendRequest(RenameRequest.type, { textDocument, position, newName: "logs" }),
    ).rejects.toMatchObject({
      code: -32803,
      message: 'a request of this file is named "logs": choose another name',
    })
    await expect(
      connection.sendRequest(PrepareRenameRequest.type, { textDocument, position: { line: 1, character: 5 } }),
    ).rejects.toMatchObject({ message: "only variables and the names of requests can be renamed" })
  })
  it("outline, fold, select, colour and annotate", async () => {
    const client = await start()
    await client.open(text)
    const { connection } = client
    const whole = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } }
    expect(await connection.sendRequest(DocumentSymbolRequest.type, { textDocument })).toMatchObject([
      { name: "from", kind: 13, detail: '"0x1b4"' },
      { name: "logs", kind: 6, detail: "eth_getLogs", children: [] },
    ])
    expect(await connection.sendRequest(FoldingRangeRequest.type, { textDocument })).toEqual([
      { startLine: 1, endLine: 4 },
    ])
    const [selection] =
      (await connection.sendRequest(SelectionRangeRequest.type, {
        textDocument,
        positions: [{ line: 3, character: 32 }],
      })) ?? []
    expect(selection?.range).toEqual({ start: { line: 3, character: 30 }, end: { line: 3, character: 34 } })
    expect(selection?.parent?.range).toEqual({ start: { line: 3, character: 28 }, end: { line: 3, character: 36 } })
    const tokens = await connection.sendRequest(SemanticTokensRequest.type, { textDocument })
    expect(tokens?.data.slice(0, 10)).toEqual([0, 0, 1, 3, 1, 0, 1, 4, 3, 1])
    const firstLine = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } }
    const ranged = await connection.sendRequest(SemanticTokensRangeRequest.type, { textDocument, range: firstLine })
    expect(ranged?.data).toEqual(tokens?.data.slice(0, 20))
    expect(await connection.sendRequest(InlayHintRequest.type, { textDocument, range: whole })).toMatchObject([
      { position: { line: 0, character: 15 }, label: "436", paddingLeft: true },
      { position: { line: 3, character: 11 }, label: "255 credits" },
    ])
  })
  it("format a document and a range", async () => {
    const client = await start()
    const messy = "### a\r\neth_getLogs  [ {} ]\r\n\r\n### b\r\neth_getLogs  [ {} ]\r\n"
    await client.open(messy)
    const options = { tabSize: 2, insertSpaces: true }
    const all = await client.connection.sendRequest(DocumentFormattingRequest.type, { textDocument, options })
    expect(applyEdits(messy, all ?? [])).toBe(messy.replaceAll("  [ {} ]", " [{}]"))
    const range = { start: { line: 3, character: 0 }, end: { line: 5, character: 0 } }
    const some = await client.connection.sendRequest(DocumentRangeFormattingRequest.type, {
      textDocument,
      options,
      range,
    })
    expect(applyEdits(messy, some ?? [])).toBe("### a\r\neth_getLogs  [ {} ]\r\n\r\n### b\r\neth_getLogs [{}]\r\n")
  })
  it("format while typing", async () => {
    const client = await start()
    await client.open("###\nm [{\n")
    const request = {
      textDocument,
      position: { line: 2, character: 0 },
      ch: "\n",
      options: { tabSize: 2, insertSpaces: true },
    }
    expect(await client.connection.sendRequest(DocumentOnTypeFormattingRequest.type, request)).toEqual([
      { range: { start: { line: 2, character: 0 }, end: { line: 2, character: 0 } }, newText: "  " },
    ])
  })
  it("offer code actions of the kinds asked for, with the diagnostics they repair", async () => {
    const client = await start()
    const source = '###\neth_getLogs [{ "blockhash": "0x1" }]\n'
    const published = client.published(file)
    await client.open(source)
    const range = { start: { line: 1, character: 17 }, end: { line: 1, character: 17 } }
    const context = { diagnostics: [...(await published)], only: ["quickfix"] }
    const actions = await client.connection.sendRequest(CodeActionRequest.type, { textDocument, range, context })
    expect(actions).toEqual([
      {
        title: 'Rename to "blockHash"',
        kind: "quickfix",
        diagnostics: [expect.objectContaining({ code: "A105", source: "dotrpc" })],
        edit: {
          changes: {
            [file]: [
              { range: { start: { line: 1, character: 15 }, end: { line: 1, character: 26 } }, newText: '"blockHash"' },
            ],
          },
        },
      },
    ])
  })
  it("answer null for a document that is not open", async () => {
    const client = await start()
    expect(
      await client.connection.sendRequest(HoverRequest.type, { textDocument, position: { line: 0, character: 0 } }),
    ).toBeNull()
    expect(await client.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument })).toEqual({
      kind: "full",
      items: [],
    })
  })
})

describe("diagnostics", () => {
  it("are sent when a document is opened, changed and closed", async () => {
    const client = await start()
    const first = client.published(file)
    await client.open("###\neth_getLogs [{}]\n")
    expect(await first).toEqual([])
    const second = client.published(file)
    await client.change(file, 2, [
      { range: { start: { line: 1, character: 14 }, end: { line: 1, character: 14 } }, text: ' "blockhash": 1 ' },
    ])
    expect(await second).toMatchObject([
      { severity: 1, code: "A105", source: "dotrpc", range: { start: { line: 1, character: 15 } } },
    ])
    const third = client.published(file)
    await client.connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument })
    expect(await third).toEqual([])
  })
  it("are answered to a client that asks for them, and not sent", async () => {
    const client = await start({ capabilities: { textDocument: { diagnostic: {} } } })
    await client.open("###\neth_getLog [{}]\n")
    expect(await client.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument })).toMatchObject({
      kind: "full",
      items: [{ code: "A101", message: 'unknown method "eth_getLog"; did you mean "eth_getLogs"?' }],
    })
  })
  it("follow edits as the client counts them: in UTF-16, one after the other", async () => {
    const client = await start()
    const first = client.published(file)
    await client.open("### 🎈\r\n\r\neth_getLogs [{}]")
    await first
    const edited = client.published(file)
    await client.change(file, 2, [
      { range: { start: { line: 0, character: 6 }, end: { line: 1, character: 0 } }, text: "!\r\n# @name x\r\n" },
      { range: { start: { line: 3, character: 14 }, end: { line: 3, character: 14 } }, text: "" },
      { range: { start: { line: 2, character: 0 }, end: { line: 2, character: 0 } }, text: "?? x" },
    ])
    const symbols = await client.connection.sendRequest(DocumentSymbolRequest.type, { textDocument })
    expect(symbols).toMatchObject([{ name: "x", detail: "eth_getLogs", range: { end: { line: 3, character: 16 } } }])
    expect(await edited).toMatchObject([{ code: "A202" }])
    const again = client.published(file)
    await client.change(file, 3, [{ text: "###\neth_no [{}]" }])
    expect(await again).toMatchObject([{ code: "A101" }])
  })
})

describe("the project", () => {
  const config = "file:///project/rpc.config.json"
  const networks = (...ids: ReadonlyArray<string>) =>
    JSON.stringify({
      networks: Object.fromEntries(
        ids.map((id) => [id, { plugin: "evm", url: "https://evm.example/v3/{{$secret.API_KEY}}" }]),
      ),
      environments: { staging: { vars: { chunk: 5 } } },
    })
  const names = async (client: Client, source: string) => {
    const { position, text } = marked(source)
    await client.open(text)
    const found = await client.connection.sendRequest(CompletionRequest.type, { textDocument, position })
    return (Array.isArray(found) ? found : []).map((item) => item.label)
  }

  it("is read from the nearest configuration", async () => {
    const client = await start({ files: { [config]: networks("mine") } })
    expect((await names(client, "# @network |"))[0]).toBe("mine")
  })
  it("is read again when a watched file changes", async () => {
    const files: Files = { [config]: networks("one") }
    const client = await start({
      files,
      capabilities: { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } },
    })
    expect(await client.watched()).toEqual(["**/*.json", "**/.env", "**/*.rpc"])
    expect((await names(client, "# @network |"))[0]).toBe("one")
    files[config] = networks("two")
    expect((await names(client, "# @network |"))[0]).toBe("one")
    await client.connection.sendNotification(DidChangeWatchedFilesNotification.type, {
      changes: [{ uri: config, type: FileChangeType.Changed }],
    })
    expect((await names(client, "# @network |"))[0]).toBe("two")
  })
  it("is read again on saving by a client that watches no files", async () => {
    const files: Files = { [config]: networks("one") }
    const client = await start({ files })
    expect((await names(client, "# @network |"))[0]).toBe("one")
    files[config] = networks("two")
    await client.connection.sendNotification(DidSaveTextDocumentNotification.type, { textDocument })
    expect((await names(client, "# @network |"))[0]).toBe("two")
  })
  it("has its configuration's problems shown there, until they are gone", async () => {
    const files: Files = { [config]: '{ "netwrks": {} }' }
    const client = await start({ files })
    const shown = client.published(config)
    await client.open("")
    expect(await shown).toMatchObject([
      {
        severity: 1,
        range: { start: { line: 0, character: 2 } },
        message: expect.stringContaining('did you mean "networks"'),
      },
    ])
    files[config] = "{}"
    const gone = client.published(config)
    await client.connection.sendNotification(DidSaveTextDocumentNotification.type, { textDocument })
    expect(await gone).toEqual([])
  })
  it("has a key that is written into its configuration marked there, without its value", async () => {
    const canary = "canary0a1b2c3d4e5f"
    const client = await start({ files: { [config]: networks("mine").replace("{{$secret.API_KEY}}", canary) } })
    const shown = client.published(config)
    await client.open("")
    const found = await shown
    expect(found).toMatchObject([{ severity: 2, code: "A501", message: expect.stringContaining("$secret.MINE_KEY") }])
    expect(JSON.stringify(found)).not.toContain(canary)
  })
  it("offers secrets, variables and environments by name", async () => {
    const client = await start({ files: { [config]: networks("one") } })
    expect(await names(client, "@x = $secret.|")).toEqual(["API_KEY"])
    expect(await names(client, "@x = $env.|")).toEqual(["REGION"])
    expect(await names(client, "# @env |")).toEqual(["staging"])
  })
  it("uses the environment of the initialization options", async () => {
    const client = await start({
      files: { [config]: networks("one") },
      initializationOptions: { environment: "staging" },
    })
    expect(await names(client, "@x = |")).toContain("chunk")
  })
  it("uses the environment of the settings, when the client is asked and when it tells", async () => {
    const files = { [config]: networks("one") }
    const asked = await start({
      files,
      capabilities: { workspace: { configuration: true } },
      settings: { environment: "staging" },
    })
    // The answer to the server's question comes before anything that is sent afterwards is read.
    await asked.connection.sendNotification(DidChangeConfigurationNotification.type, { settings: null })
    await asked.connection.sendRequest(DocumentSymbolRequest.type, { textDocument })
    expect(await names(asked, "@x = |")).toContain("chunk")
    const told = await start({ files })
    expect(await names(told, "@x = |")).not.toContain("chunk")
    await told.connection.sendNotification(DidChangeConfigurationNotification.type, {
      settings: { dotrpc: { environment: "staging" } },
    })
    expect(await names(told, "@x = |")).toContain("chunk")
  })
  it("says once that an environment is unknown where no configuration could show it", async () => {
    const client = await start({ initializationOptions: { environment: "stagin" } })
    const first = client.published(file)
    await client.open("")
    await first
    const second = client.published("file:///project/b.rpc")
    await client.open("", "file:///project/b.rpc")
    await second
    expect(client.shown).toEqual(['dotrpc: unknown environment "stagin"; none is defined'])
  })
  it("of a document that is no file yet is that of the first folder", async () => {
    const client = await start({ files: { [config]: networks("mine") } })
    const { position, text } = marked("# @network |")
    await client.open(text, "untitled:Untitled-1")
    const found = await client.connection.sendRequest(CompletionRequest.type, {
      textDocument: { uri: "untitled:Untitled-1" },
      position,
    })
    expect(Array.isArray(found) ? found[0]?.label : undefined).toBe("mine")
  })
})

describe("failures", () => {
  it("answer one request with an error, are logged without secrets, and leave the rest as it was", async () => {
    const host = makeHost({})
    const client = await start({ host: { ...host, plugins: () => ({ plugins: [brokenPlugin], problems: [] }) } })
    await client.open("###\nbroken_docs [{}]\n")
    const hover = (line: number) =>
      client.connection.sendRequest(HoverRequest.type, { textDocument, position: { line, character: 3 } })
    await expect(hover(1)).rejects.toMatchObject({
      code: -32603,
      message: "textDocument/hover failed; the log of the server says more",
    })
    expect(client.log.join("\n")).toContain("textDocument/hover: Error: no docs for •••")
    expect(client.log.join("\n")).not.toContain(canary)
    expect(await hover(0)).toBeNull()
  })
  it("mask a secret that only the environment holds", async () => {
    const host = makeHost({})
    const plugin = { ...Evm.plugin, functions: [failing] }
    const client = await start({ host: { ...host, plugins: () => ({ plugins: [plugin], problems: [] }) } })
    await client.open("@x = fail($secret.HIDDEN)\n")
    const position = { line: 0, character: 0 }
    await expect(client.connection.sendRequest(HoverRequest.type, { textDocument, position })).rejects.toMatchObject({
      code: -32603,
    })
    expect(client.log.join("\n")).toContain("Error: cannot take •••")
  })
  it("of the host are told without details, and tried again", async () => {
    const host = makeHost({})
    let fails = true
    const client = await start({
      host: {
        ...host,
        findConfig: (document) => (fails ? Promise.reject(new Error(canary)) : host.findConfig(document)),
      },
    })
    await client.open("###\neth_getLogs [{}]\n")
    const hover = () =>
      client.connection.sendRequest(HoverRequest.type, { textDocument, position: { line: 1, character: 3 } })
    await expect(hover()).rejects.toMatchObject({ code: -32603 })
    expect(client.log.join("\n")).toContain("textDocument/hover: Error")
    expect(client.log.join("\n")).not.toContain(canary)
    fails = false
    expect(await hover()).toMatchObject({ contents: { value: expect.stringContaining("255 credits") } })
  })
  it("a request that is cancelled is not answered", async () => {
    const host = makeHost({})
    const asked = deferred<undefined>()
    const reading = deferred<undefined>()
    const client = await start({
      host: {
        ...host,
        findConfig: () => {
          asked.resolve(undefined)
          return reading.promise
        },
      },
    })
    await client.open("###\neth_getLogs [{}]\n")
    const source = new CancellationTokenSource()
    const position = { line: 1, character: 3 }
    const cancelled = client.connection.sendRequest(HoverRequest.type, { textDocument, position }, source.token)
    await asked.promise
    source.cancel()
    // Answered at once, and only after the server has heard of the cancellation.
    await client.connection.sendRequest(HoverRequest.type, { textDocument: { uri: "file:///none.rpc" }, position })
    const other = client.connection.sendRequest(HoverRequest.type, {
      textDocument,
      position: { line: 0, character: 0 },
    })
    reading.resolve(undefined)
    await expect(cancelled).rejects.toMatchObject({ code: -32800 })
    expect(await other).toBeNull()
  })
})

it("no answer and no message holds a secret's value", async () => {
  const config = "file:///project/rpc.config.json"
  const client = await start({
    files: {
      [config]: JSON.stringify({
        networks: { evm: { plugin: "evm", url: "https://evm.example/v3/{{$secret.API_KEY}}" } },
      }),
    },
  })
  const source = '@s = {{$secret.API_KEY}}\n###\neth_getLogs [{ "address": {{s}} }]\n?? s == s.x\n'
  const published = client.published(file)
  await client.open(source)
  const seen: Array<unknown> = [await published]
  for (const [line, text] of source.split("\n").entries()) {
    for (let character = 0; character <= text.length; character++) {
      const at = { textDocument, position: { line, character } }
      seen.push(await client.connection.sendRequest(HoverRequest.type, at))
      seen.push(await client.connection.sendRequest(CompletionRequest.type, at))
    }
  }
  expect(JSON.stringify(seen)).not.toContain(canary)
})
