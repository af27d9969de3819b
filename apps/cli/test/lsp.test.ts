import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { chownSync, existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, it } from "vitest"
import {
  CompletionRequest,
  createProtocolConnection,
  type Diagnostic,
  DidOpenTextDocumentNotification,
  ExitNotification,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node"
import { canary, dotrpc, requests } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"
import { binary, processEnvironment } from "./process.ts"

interface Started {
  readonly child: ChildProcessWithoutNullStreams
  readonly connection: ProtocolConnection
  readonly stdout: () => string
  readonly stderr: () => string
}

const start = (...more: ReadonlyArray<string>): Started => {
  const child = spawn(process.execPath, [binary, "lsp", "--stdio", ...more], {
    cwd: requests,
    env: processEnvironment({}),
  })
  let stdout = ""
  let stderr = ""
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  )
  connection.listen()
  return { child, connection, stdout: () => stdout, stderr: () => stderr }
}

const initialize = async (connection: ProtocolConnection) => {
  const result = await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
    workspaceFolders: null,
  })
  await connection.sendNotification(InitializedNotification.type, {})
  return result
}

it("serves an editor over stdin and stdout, from opening a file to the exit", async () => {
  const { child, connection, stderr, stdout } = start(`--clientProcessId=${process.pid}`)
  const exited = once(child, "exit")
  expect(await initialize(connection)).toMatchObject({ serverInfo: { name: "dotrpc" } })

  const uri = pathToFileURL(join(requests, "written.rpc")).href
  const published = new Promise<ReadonlyArray<Diagnostic>>((resolve) => {
    connection.onNotification(PublishDiagnosticsNotification.type, (report) => {
      if (report.uri === uri) resolve(report.diagnostics)
    })
  })
  const text = '# @network evm\n###\neth_getLogs [{ "blockhash": "0x1" }]\n'
  await connection.sendNotification(DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "rpc", version: 1, text },
  })
  expect(await published).toMatchObject([
    { code: "A105", message: expect.stringContaining('did you mean "blockHash"') },
  ])

  const position = { line: 0, character: 11 }
  const found = await connection.sendRequest(CompletionRequest.type, { textDocument: { uri }, position })
  expect((Array.isArray(found) ? found : []).map((item) => item.label)).toContain("dead")

  await connection.sendRequest(ShutdownRequest.type)
  await connection.sendNotification(ExitNotification.type)
  expect(await exited).toEqual([0, null])
  expect(stderr()).toBe("")
  expect(stdout()).toMatch(/^Content-Length: /)
  expect(stdout()).not.toContain(canary)
})

/** What the server says of the configuration of a folder, and of the method in line 3, once a file of it is open. */
const sayAbout = async (folder: string) => {
  const { child, connection } = start()
  const exited = once(child, "exit")
  await initialize(connection)
  const uri = pathToFileURL(join(folder, "a.rpc")).href
  const config = pathToFileURL(join(folder, "rpc.config.json")).href
  const published = new Promise<ReadonlyArray<string>>((resolve) => {
    connection.onNotification(PublishDiagnosticsNotification.type, (report) => {
      if (report.uri === config) resolve(report.diagnostics.map(({ message }) => JSON.stringify(message)))
    })
  })
  const text = "### A\n# @network main\neth_getLogs [{}]\n"
  await connection.sendNotification(DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "rpc", version: 1, text },
  })
  const position = { line: 2, character: 3 }
  const hover = await connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position })
  const said = (await published).join("\n")
  await connection.sendRequest(ShutdownRequest.type)
  await connection.sendNotification(ExitNotification.type)
  await exited
  return { said, hover: JSON.stringify(hover) }
}

it("never imports a plugin of a project, whatever is asked", async () => {
  const folder = temporaryFolder()
  const ran = join(folder, "ran.txt")
  writeFileSync(
    join(folder, "plugin.mjs"),
    `import { writeFileSync } from "node:fs"\nwriteFileSync(${JSON.stringify(ran)}, "")\n`,
  )
  writeFileSync(
    join(folder, "rpc.config.json"),
    JSON.stringify({
      plugins: ["@dotrpc/plugin-evm", "./plugin.mjs"],
      networks: { main: { plugin: "evm", url: "embedded:evm" } },
    }),
  )
  const { hover, said } = await sayAbout(folder)
  expect(hover).toContain("eth_getLogs")
  expect(said).toContain("belongs to the project")
  expect(existsSync(ran)).toBe(false)
})

// Only an administrator can make files of another user.
it.runIf(process.getuid?.() === 0).each(["rpc.config.json", ".env"])(
  "does not use a configuration when %s belongs to another user",
  async (file) => {
    const folder = temporaryFolder()
    const config = { networks: { main: { plugin: "evm", url: "https://stranger.example/{{$secret.CANARY}}" } } }
    writeFileSync(join(folder, "rpc.config.json"), JSON.stringify(config))
    writeFileSync(join(folder, ".env"), "A=1\n")
    chownSync(join(folder, file), 12_345, 12_345)
    const { hover, said } = await sayAbout(folder)
    expect(said).toMatch(/belongs to another user \(id 12345\).*dotrpc trust \//)
    expect(hover).not.toContain("stranger.example")
  },
)

it("ends when the editor is gone without a word", async () => {
  const { child, connection } = start()
  const exited = once(child, "exit")
  await initialize(connection)
  connection.dispose()
  child.stdin.end()
  expect(await exited).toEqual([1, null])
})

it("says how it is started when --stdio is missing", async () => {
  const { code, stderr, stdout } = await dotrpc("lsp")
  expect(code).toBe(2)
  expect(stdout).toBe("")
  expect(stderr).toContain("dotrpc lsp --stdio")
})

it("ends on Ctrl-C, though its editor still holds the connection", async () => {
  const { child, connection } = start()
  const exited = once(child, "exit")
  await initialize(connection)
  child.kill("SIGINT")
  expect(await exited).toEqual([130, null])
  connection.dispose()
})
