import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { chownSync, existsSync, rmSync, writeFileSync } from "node:fs"
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
import { canary, dotrpc, requests, startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"
import { binary, processEnvironment } from "./process.ts"

interface Started {
  readonly child: ChildProcessWithoutNullStreams
  readonly connection: ProtocolConnection
  readonly stdout: () => string
  readonly stderr: () => string
}

const start = (more: ReadonlyArray<string> = [], env: Readonly<Record<string, string>> = {}): Started => {
  const child = spawn(process.execPath, [binary, "lsp", "--stdio", ...more], {
    cwd: requests,
    env: processEnvironment({ env }),
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
  const { child, connection, stderr, stdout } = start([`--clientProcessId=${process.pid}`])
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

/** What the server says of the configuration of a folder, and of a file of it with this third line, once that is open. */
const sayAbout = async (folder: string, line = "eth_getLogs [{}]", env: Readonly<Record<string, string>> = {}) => {
  const { child, connection } = start([], env)
  const exited = once(child, "exit")
  await initialize(connection)
  const uri = pathToFileURL(join(folder, "a.rpc")).href
  const config = pathToFileURL(join(folder, "rpc.config.json")).href
  const problemsOf = new Map<string, ReadonlyArray<string>>()
  const published = new Promise<void>((resolve) => {
    connection.onNotification(PublishDiagnosticsNotification.type, (report) => {
      problemsOf.set(
        report.uri,
        report.diagnostics.map(({ message }) => JSON.stringify(message)),
      )
      // What is said of the configuration comes before what is said of the file.
      if (report.uri === uri) resolve()
    })
  })
  const text = `### A\n# @network main\n${line}\neth_getLogs [{}]\n`
  await connection.sendNotification(DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "rpc", version: 1, text },
  })
  const position = { line: 2, character: line.search(/\w{4}/) + 1 }
  const hover = await connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position })
  await published
  const said = (problemsOf.get(config) ?? []).join("\n")
  const problems = problemsOf.get(uri) ?? []
  await connection.sendRequest(ShutdownRequest.type)
  await connection.sendNotification(ExitNotification.type)
  await exited
  return { said, problems, hover: JSON.stringify(hover) }
}

/** A project whose own plugin leaves a file behind when it is imported, and says something. */
const projectWithPlugin = () => {
  const folder = temporaryFolder()
  const data = temporaryFolder()
  const ran = join(data, "ran.txt")
  const write = (docs: string) =>
    writeFileSync(
      join(folder, "plugin.mjs"),
      `import { writeFileSync } from "node:fs"
writeFileSync(${JSON.stringify(ran)}, "")
console.log("a word of a plugin")
const functions = [{ name: "glow", signature: "glow(value)", docs: ${JSON.stringify(docs)}, call: ([value]) => ({ value }) }]
export default { id: "lamp", title: "Lamp", docs: "Lamps.", methods: [], functions, networks: [] }
`,
    )
  write("Makes a lamp glow.")
  writeFileSync(
    join(folder, "rpc.config.json"),
    JSON.stringify({
      plugins: ["@dotrpc/plugin-evm", "./plugin.mjs"],
      networks: { main: { plugin: "evm", url: "embedded:evm" } },
    }),
  )
  const env = { XDG_DATA_HOME: data }
  return {
    ran,
    write,
    say: () => sayAbout(folder, "@a = glow(1)", env),
    trust: () => startAt({ cwd: folder, env }, "trust").outcome,
  }
}

it("never imports a plugin of a project that is not trusted, whatever is asked", async () => {
  const { ran, say } = projectWithPlugin()
  const { hover, problems, said } = await say()
  expect(hover).not.toContain("Makes a lamp glow.")
  expect(problems.join()).toContain("glow")
  expect(said).toContain("belongs to the project")
  expect(said).toMatch(/which you have not trusted.*dotrpc trust \//)
  expect(existsSync(ran)).toBe(false)
})

it("imports a plugin of a project that is trusted, until its code changes", async () => {
  const { ran, say, trust, write } = projectWithPlugin()
  expect((await trust()).code).toBe(0)
  expect(existsSync(ran)).toBe(false)
  const { hover, problems, said } = await say()
  expect([problems, said]).toEqual([[], ""])
  expect(hover).toContain("Makes a lamp glow.")
  expect(existsSync(ran)).toBe(true)

  rmSync(ran)
  write("Makes a lamp glow red.")
  expect((await say()).said).toMatch(/has changed since you trusted this project.*dotrpc trust \//)
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
