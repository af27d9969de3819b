/**
 * A secret leaves only for the host that is connected: a project's files name one host where dotrpc looks, and another one where a client
 * connects. Each server counts connections, before anything is said over them.
 */
import { createServer, type Server } from "node:net"
import type { AddressInfo } from "node:net"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Bounds, dotrpc } from "../src/Command.ts"
import { type HostileServer, startHostileServer } from "../src/HostileServer.ts"
import { makeProject, type Project, well } from "../src/Project.ts"
import { wrongOutcome } from "../src/Verdict.ts"

const bounds: Bounds = { seconds: 20, megabytes: 700 }
const secret = "canary-8d31f7c0aa"
const call = `### One\n# @network evm\neth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x0", "latest"]\n`
const listening = '### Heads\n# @network evm\n# @limit 1\neth_subscribe ["newHeads"]\n'

/** Closes each connection, and counts it. */
interface Counter {
  readonly server: Server
  readonly port: () => number
  count: number
}
const startCounter = async (): Promise<Counter> => {
  const counter: Counter = {
    count: 0,
    port: () => (server.address() as AddressInfo).port,
    server: createServer((socket) => {
      counter.count += 1
      socket.destroy()
    }),
  }
  const { server } = counter
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return counter
}

let own: Counter
let other: Counter
let node: HostileServer
beforeAll(async () => {
  own = await startCounter()
  other = await startCounter()
  node = await startHostileServer([well])
})
afterAll(async () => {
  own.server.close()
  other.server.close()
  await node[Symbol.asyncDispose]()
})

/** Runs a command in CI where the secret is a variable of the process, and nobody has allowed a host. */
const run = async (
  project: Project,
  config: object,
  args: ReadonlyArray<string>,
  codes: ReadonlyArray<number>,
  value = secret,
) => {
  writeFileSync(join(project.folder, "rpc.config.json"), JSON.stringify(config))
  const env = { ...project.place.env, TOKEN: value, DOTRPC_ALLOW_HOSTS: "" }
  const outcome = await dotrpc(args, { ...project.place, env }, bounds)
  expect(wrongOutcome(outcome, bounds, new Set(codes))).toEqual([])
  expect(outcome.stdout + outcome.stderr).not.toContain(value)
  return outcome.stdout + outcome.stderr
}

const embedded = { evm: { plugin: "evm", url: "embedded:evm" } }
const ledgerAt = (ledger: string) => ({ networks: embedded, ledger })
const nodeAt = (members: object) => ({ networks: { evm: { plugin: "evm", ...members } } })
const keyed = (origin: string) => `${origin}/well/v3/{{$secret.TOKEN}}`

describe("a secret that belongs to one host goes to no other:", () => {
  const check = (
    what: string,
    text: string,
    first: () => object,
    then: () => object,
    args: ReadonlyArray<string>,
    code = 2,
  ) =>
    it(what, async () => {
      using project = makeProject({ "a.rpc": text })
      await run(project, first(), args, [0, 1, 2, 3, 4])
      other.count = 0
      const said = await run(project, then(), args, [code])
      expect(said).toContain("TOKEN belongs to")
      expect(other.count).toBe(0)
    })
  const postgres = (query = "") => ledgerAt(`postgres://team:{{$secret.TOKEN}}@127.0.0.1:${own.port()}/db${query}`)
  const redis = (port: () => number) => ledgerAt(`redis://:{{$secret.TOKEN}}@127.0.0.1:${port()}`)

  check("the host in the query of a ledger", call, postgres, () => postgres(`?host=127.0.0.1&port=${other.port()}`), [
    "credits",
  ])
  check("the port in the query of a ledger", call, postgres, () => postgres(`?port=${other.port()}`), ["run", "a.rpc"])
  check(
    "another ledger",
    call,
    () => redis(own.port),
    () => redis(other.port),
    ["credits"],
  )
  check(
    "the WebSocket of a subscription",
    listening,
    () => nodeAt({ url: keyed(node.origin) }),
    () => nodeAt({ url: keyed(node.origin), wsUrl: `ws://127.0.0.1:${other.port()}/{{$secret.TOKEN}}` }),
    ["run", "a.rpc"],
  )
  check(
    "a host that was allowed, without encryption",
    call,
    () => nodeAt({ url: keyed(node.origin) }),
    () => nodeAt({ url: keyed(`http://127.0.0.1:${other.port()}`) }),
    ["run", "a.rpc", "--allow-host", "127.0.0.1"],
  )
})

it("256 checks of one page tell another host nothing about it", async () => {
  const at = (value: number) =>
    `### ${value}\n# @network other\n${call.split("\n").at(2)}\n?? slot(${value}, $secret.TOKEN)\n`
  const number = "0x8d31f7c0aa"
  const page = Array.from({ length: 256 }, (_, value) => at(value)).join("\n")
  using project = makeProject({ "a.rpc": call, "oracle.rpc": page })
  const networks = {
    evm: { plugin: "evm", url: keyed(node.origin) },
    other: { plugin: "evm", url: `http://127.0.0.1:${other.port()}/` },
  }
  await run(project, { networks }, ["run", "a.rpc"], [0], number)
  other.count = 0
  const said = await run(project, { networks }, ["run", "oracle.rpc"], [2], number)
  expect(said).toContain("TOKEN belongs to")
  expect(other.count).toBe(0)
})

it("a ledger on a server does not hear what a secret decides", async () => {
  const number = "0x8d31f7c0aa"
  const decided = `### above\n# @network inside\neth_getBlockByNumber [{{hex($secret.TOKEN)}}, false]\n`
  using project = makeProject({ "a.rpc": call, "decided.rpc": decided })
  const networks = {
    evm: { plugin: "evm", url: keyed(node.origin) },
    inside: { plugin: "evm", url: "embedded:evm" },
  }
  await run(project, { networks }, ["run", "a.rpc"], [0], number)
  for (const ledger of ["redis", "postgres"]) {
    other.count = 0
    const config = { networks, ledger: `${ledger}://team@127.0.0.1:${other.port()}/1` }
    const said = await run(project, config, ["run", "decided.rpc"], [2], number)
    expect(said).toContain('may depend on "above", which reads it')
    expect(other.count).toBe(0)
  }
})

it("the query of a Redis ledger names no other server", async () => {
  using project = makeProject({ "a.rpc": call })
  other.count = 0
  const config = ledgerAt(`redis://:{{$secret.TOKEN}}@127.0.0.1:${own.port()}?host=127.0.0.1&port=${other.port()}`)
  await run(project, config, ["credits"], [1, 2])
  expect(other.count).toBe(0)
})

it("a replay opens no connection, and needs no secret", async () => {
  using project = makeProject({ "a.rpc": call })
  await run(project, nodeAt({ url: `${node.origin}/well/v3/x` }), ["run", "a.rpc", "--record", "kept"], [0])
  other.count = 0
  for (const ledger of ["redis", "postgres"]) {
    const config = { ...nodeAt({ url: `${node.origin}/well/v3/x` }) }
    const at = `${ledger}://team:{{$secret.TOKEN}}@127.0.0.1:${other.port()}`
    await run(project, { ...config, ledger: at }, ["run", "a.rpc", "--replay", "kept"], [0])
    await run(project, { ...config, ledger: at.replace("TOKEN", "UNSET") }, ["run", "a.rpc", "--replay", "kept"], [0])
  }
  expect(other.count).toBe(0)
})
