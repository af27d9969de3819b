import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, it } from "vitest"
import {
  CompletionRequest,
  createProtocolConnection,
  type Diagnostic,
  DidOpenTextDocumentNotification,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node"
import { binary, canary, dotrpc, requests } from "./dotrpc.ts"

interface Started {
  readonly child: ChildProcessWithoutNullStreams
  readonly connection: ProtocolConnection
  readonly stdout: () => string
  readonly stderr: () => string
}

const start = (...more: ReadonlyArray<string>): Started => {
  const child = spawn(process.execPath, [binary, "lsp", "--stdio", ...more], {
    cwd: requests,
    env: { ...process.env, CANARY: canary },
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
