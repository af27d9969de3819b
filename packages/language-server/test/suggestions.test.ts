/** Values that a plugin of the project suggests for a place in params, through the server: those of a slow or broken one keep nobody waiting. */
import { definePlugin, type Json, type Method, type ParamSuggestions } from "@dotrpc/spec"
import { Evm } from "@dotrpc/plugin-evm"
import { makeProject, type Project } from "@dotrpc/session"
import { afterEach, describe, expect, it, vi } from "vitest"
import { CompletionRequest, HoverRequest } from "vscode-languageserver/node"
import { type Client, connect, file, marked } from "./client.ts"

const textDocument = { uri: file }

const open: Array<Client> = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(open.splice(0).map((client) => client.close()))
})

type Suggest = (before: ReadonlyArray<Json.Json | undefined>) => ReadonlyArray<{ readonly value: Json.Json }>

/** A project whose plugin has one method, with suggestions for the member `tracer` of its second param. */
const projectWith = (values: Suggest | ParamSuggestions["values"]): Project => {
  const method: Method = {
    ...Evm.DebugTraceTransaction,
    plugin: "own",
    name: "own_trace",
    suggest: [{ at: [1, "tracer"], values }],
  }
  const own = definePlugin({ id: "own", title: "Own", docs: "", methods: [method] })
  const networks = { main: { plugin: "own", url: "https://node.example" } }
  return makeProject({
    plugins: { plugins: [own], problems: [] },
    configFile: { uri: "file:///project/rpc.config.json", text: JSON.stringify({ networks }) },
    env: () => undefined,
    secret: () => undefined,
    now: 0,
  })
}

const start = async (values: Parameters<typeof projectWith>[0]): Promise<Client> => {
  const project = projectWith(values)
  const client = await connect({ projects: { project: () => Promise.resolve(project) } })
  open.push(client)
  return client
}

const source = '###\nown_trace ["0x1", { "tracer": "|" }]\n'

const offersAt = async (client: Client) => {
  const { position, text } = marked(source)
  await client.open(text)
  const found = await client.connection.sendRequest(CompletionRequest.type, { textDocument, position })
  return Array.isArray(found) ? found : (found?.items ?? [])
}

describe("the values that a plugin suggests", () => {
  const check = (what: string, values: Parameters<typeof projectWith>[0], expected: ReadonlyArray<string>) =>
    it(what, async () => {
      const labels = (await offersAt(await start(values))).map(({ label }) => label)
      expect(labels.filter((label) => label.startsWith("own"))).toEqual(expected)
      // What else can stand there is offered in any case.
      expect(labels).toContain("hex")
    })
  check("are offered from a list", [{ value: "ownTracer" }, { value: "ownOther" }], ["ownTracer", "ownOther"])
  check("are offered from a function of what stands before", ([hash]) => [{ value: `own ${String(hash)}` }], [
    "own 0x1",
  ])
  check(
    "are none where the function throws",
    () => {
      throw new Error("no tracers")
    },
    [],
  )
  check("are none where it returns no list", (() => "own") as unknown as Suggest, [])
})

it("a plugin that is slow is asked three times, and the server answers all the while", async () => {
  vi.useFakeTimers({ toFake: ["performance"] })
  let asked = 0
  const client = await start(() => {
    asked++
    vi.advanceTimersByTime(80)
    return [{ value: "ownTracer" }]
  })
  const found: Array<boolean> = []
  for (let time = 0; time < 6; time++) found.push((await offersAt(client)).some(({ label }) => label === "ownTracer"))
  expect([asked, found]).toEqual([3, [true, true, true, false, false, false]])
  const position = { line: 1, character: 3 }
  expect(await client.connection.sendRequest(HoverRequest.type, { textDocument, position })).not.toBeNull()
})
