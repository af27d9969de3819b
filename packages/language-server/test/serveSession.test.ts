import { Evm } from "@dotrpc/plugin-evm"
import { makeProject, type Project } from "@dotrpc/session"
import { afterEach, expect, it } from "vitest"
import { CompletionRequest, HoverRequest, InlayHintRequest } from "vscode-languageserver/node"
import type { ServerOptions } from "../src/index.ts"
import { type Client, type ClientOptions, connect, file, marked } from "./client.ts"
import { brokenPlugin, canary } from "./host.ts"

const config = "file:///project/rpc.config.json"
const textDocument = { uri: file }

const open: Array<Client> = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()))
})

const start = async (projects: NonNullable<ClientOptions["projects"]>, server?: ServerOptions): Promise<Client> => {
  const client = await connect({ projects, ...(server === undefined ? {} : { server }) })
  open.push(client)
  return client
}

const projectWith = (parts: Partial<Project> = {}, plugins = [Evm.plugin]): Project => {
  const networks = { main: { plugin: "evm", url: "embedded:evm" } }
  const { configFile: _, ...project } = makeProject({
    plugins: { plugins, problems: [] },
    configFile: { uri: config, text: JSON.stringify({ networks, environments: { prod: {} } }) },
    env: () => undefined,
    secret: (name) => (name === "HIDDEN" ? canary : undefined),
    secretNames: ["API_KEY"],
    now: 0,
  })
  return { ...project, ...parts }
}

const always = (project: Project) => ({ project: () => Promise.resolve(project) })

const labelsAt = async (client: Client, source: string): Promise<ReadonlyArray<string>> => {
  const { position, text } = marked(source)
  await client.open(text)
  const found = await client.connection.sendRequest(CompletionRequest.type, { textDocument, position })
  return (Array.isArray(found) ? found : (found?.items ?? [])).map(({ label }) => label)
}

it("names of the host's project are offered", async () => {
  const client = await start(always(projectWith()))
  expect(await labelsAt(client, "# @network |\n")).toContain("main")
})

it("paths lead into the results that the host has", async () => {
  const logs = { result: [{ transactionHash: "0x1", data: "0x" }], error: null, credits: 255, ms: 1, calls: 1 }
  const client = await start({
    ...always(projectWith()),
    results: () => new Map([["logs", logs]]),
  })
  const source = "###\n# @name logs\neth_getLogs [{}]\n###\neth_getTransactionReceipt [{{logs.result[0].|}}]\n"
  expect(await labelsAt(client, source)).toEqual(["transactionHash", "data"])
})

it("what leads on to more is followed by the command of an editor that has one", async () => {
  const suggestCommand = { title: "Suggest", command: "editor.suggest" }
  const commandsAt = async (server: ServerOptions | undefined, source: string) => {
    const client = await start(always(projectWith()), server)
    const { position, text } = marked(source)
    await client.open(text)
    const found = await client.connection.sendRequest(CompletionRequest.type, { textDocument, position })
    return (Array.isArray(found) ? found : (found?.items ?? [])).map(({ command, label }) => [label, command])
  }
  expect(await commandsAt({ suggestCommand }, "###\n# @net|")).toContainEqual(["network", suggestCommand])
  expect(await commandsAt({ suggestCommand }, "# @network |")).toContainEqual(["main", undefined])
  expect(await commandsAt(undefined, "###\n# @net|")).toContainEqual(["network", undefined])
})

it("an editor with prices of its own gets the other hints", async () => {
  const client = await start(always(projectWith()), { hints: ["number", "time"] })
  await client.open('###\neth_getLogs [{ "fromBlock": "0x64" }]\n')
  const range = { start: { line: 0, character: 0 }, end: { line: 2, character: 0 } }
  const hints = await client.connection.sendRequest(InlayHintRequest.type, { textDocument, range })
  expect(hints?.map(({ label }) => label)).toEqual(["100"])
})

it("problems of the configuration are shown in it, and go when the host has read it again", async () => {
  const text = '{ "plugins": ["evn"] }'
  const wrong = projectWith({
    configFile: { uri: config, text },
    problems: [{ message: "unknown", start: 14, end: 19 }],
  })
  let current = wrong
  let changed: () => void = () => undefined
  const client = await start({
    project: () => Promise.resolve(current),
    onDidChange: (listener) => {
      changed = listener
    },
  })
  const before = client.published(config)
  await client.open("###\neth_getLogs [{}]\n")
  expect(await before).toMatchObject([
    { message: "unknown", range: { start: { line: 0, character: 14 }, end: { line: 0, character: 19 } } },
  ])
  const after = client.published(config)
  current = projectWith({ configFile: { uri: config, text: "{}" } })
  changed()
  expect(await after).toEqual([])
})

it("problems of a configuration are shown while none of its documents is open", async () => {
  const text = '{ "plugins": ["evn"] }'
  const problems = [{ message: "unknown", start: 14, end: 19 }]
  let configured = [projectWith({ configFile: { uri: config, text }, problems })]
  let changed: () => void = () => undefined
  const client = await start({
    ...always(projectWith()),
    configured: () => configured,
    onDidChange: (listener) => {
      changed = listener
    },
  })
  const before = client.published(config)
  changed()
  expect(await before).toMatchObject([{ message: "unknown", range: { start: { line: 0, character: 14 } } }])
  const after = client.published(config)
  configured = [projectWith({ configFile: { uri: config, text: "{}" } })]
  changed()
  expect(await after).toEqual([])
})

it("what is left out of a project is a warning in its configuration", async () => {
  const text = '{ "plugins": ["./own.js"] }'
  const warnings = [{ message: "left out", start: 14, end: 24 }]
  const client = await start(always(projectWith({ configFile: { uri: config, text }, warnings })))
  const published = client.published(config)
  await client.open("###\neth_getLogs [{}]\n")
  expect(await published).toMatchObject([{ message: "left out", severity: 2, range: { start: { character: 14 } } }])
})

it("a failure is logged without secrets, also those that no list names", async () => {
  const plugin = {
    ...brokenPlugin,
    functions: [
      {
        name: "fail",
        signature: "fail(value)",
        docs: "Fails.",
        call: (args: ReadonlyArray<unknown>) => {
          throw new Error(`cannot take ${String(args[0])}`)
        },
      },
    ],
  }
  const client = await start(always(projectWith({}, [plugin])))
  await client.open("@x = fail($secret.HIDDEN)\n")
  const position = { line: 0, character: 0 }
  await expect(client.connection.sendRequest(HoverRequest.type, { textDocument, position })).rejects.toMatchObject({
    code: -32603,
  })
  expect(client.log.join("\n")).not.toContain(canary)
  expect(client.log.join("\n")).toContain("•••")
})
