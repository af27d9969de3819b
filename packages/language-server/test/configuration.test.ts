import { describe, expect, it } from "vitest"
import {
  CompletionRequest,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  DidSaveTextDocumentNotification,
  DocumentSymbolRequest,
  FileChangeType,
  HoverRequest,
} from "vscode-languageserver/node"
import { type Client, file, marked } from "./client.ts"
import type { Files } from "./host.ts"
import { start, textDocument } from "./start.ts"

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
  it("is priced by the sheets that the client's settings compare", async () => {
    const client = await start({ files: { [config]: networks("mine") } })
    const { position, text } = marked("###\neth_get|Logs [{}]\n")
    await client.open(text)
    const hover = () => client.connection.sendRequest(HoverRequest.type, { textDocument, position })
    expect(JSON.stringify(await hover())).not.toContain("alchemy")
    await client.connection.sendNotification(DidChangeConfigurationNotification.type, {
      settings: { dotrpc: { comparePrices: ["alchemy", 5] } },
    })
    expect(JSON.stringify(await hover())).toContain("alchemy: 60 CU ($0.000027)")
  })
  it("is read again when a watched file changes", async () => {
    const files: Files = { [config]: networks("one") }
    const client = await start({
      files,
      capabilities: { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } },
    })
    expect(await client.watched()).toEqual(["**/*.json", "**/.env", "**/*.rpc", "**/*.{csv,tsv,txt,ndjson,jsonl}"])
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
  it("does not read a configuration that would keep the editor waiting, and says so there", async () => {
    const long = networks(...Array.from({ length: 800 }, (_, index) => `network-${index}`))
    const client = await start({ files: { [config]: long } })
    const shown = client.published(config)
    expect(await names(client, "# @network |")).not.toContain("network-0")
    expect(await shown).toMatchObject([
      {
        severity: 1,
        message: expect.stringContaining("is longer than 50,000 characters, the most that an editor reads"),
      },
    ])
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
  it("of a document that is not a file yet is that of the first folder", async () => {
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
