/**
 * Backfills of three processes over one PostgreSQL server, and one balance on the same. Processes are killed, interrupted and
 * frozen until others have taken over from them, and the database is away for a while. In the end the parts are compared with the chain, and
 * the ledger with what the node charged.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { type PostgresServer, startPostgres } from "@dotrpc/postgres"
import type { Random } from "../Random.ts"
import { type Chain, makeChain } from "../scans/chain.ts"
import { type Node, paidTwice, startNode } from "../scans/node.ts"
import type { Round, Suite } from "../Suite.ts"
import {
  asked,
  type BackfillProcess,
  killBackfills,
  lanes,
  type Shared,
  startBackfill,
  startWorker,
} from "./BackfillProcess.ts"

export const openBackfills = async (): Promise<Suite> => {
  const root = mkdtempSync(join(tmpdir(), "dotrpc-chaos-"))
  const servers = new Set<PostgresServer>()
  return {
    round: async (number, random) => {
      const folder = join(root, `${number}`)
      mkdirSync(folder)
      const server = await startPostgres()
      servers.add(server)
      const round = await playRound(random, folder, server)
      await server.stop()
      servers.delete(server)
      return round
    },
    close: async () => {
      killBackfills()
      for (const server of servers) await server.stop()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

const head = 2_500
const processes = 3

/** The database takes a worker for dead after 15 seconds, and others look for what it had a moment later. */
const untilTakenOver = 20_000

const playRound = async (random: Random, folder: string, server: PostgresServer): Promise<Round> => {
  const chain = makeChain(head, random)
  // One that cannot look its ends up does not begin.
  const node = await startNode(chain, random, 2, (method) => method === "eth_getLogs")
  const store = `postgres://postgres@127.0.0.1:${server.port}/postgres`
  const shared: Shared = { folder, store }
  const networks = { evm: { plugin: "evm", url: node.url } }
  const limits = { daily: 10_000_000 }
  writeFileSync(join(folder, "rpc.config.json"), JSON.stringify({ networks, ledger: store, limits }))
  const done = { kills: 0, interruptions: 0, freezes: 0, outages: 0 }
  const events: Array<string> = []
  const broken: Array<string> = []
  const looks: Array<Promise<void>> = []
  const look = async (event: string): Promise<void> => {
    // The database may be away.
    const problem = await ledgerProblem(shared, node).catch(() => undefined)
    if (problem !== undefined) broken.push(`after ${event}: ${problem}`)
  }
  try {
    const first = startBackfill(shared, { head })
    await Promise.race([node.reached(3), first.ended])
    const all: Array<BackfillProcess> = [first]
    while (all.length < processes) all.push(startWorker(shared))
    const waking: Array<Promise<void>> = []
    let queries = 3
    for (const harm of shuffled(random, ["kill", "kill", "interrupt", "freeze", "outage"] as const)) {
      queries += random.between(5, 25)
      const over = await Promise.race([node.reached(queries), ...all.map(({ ended }) => ended)])
      if (over?.code !== null && over?.code !== undefined) break
      const place = random.between(0, processes - 1)
      const event = `${harm} of process ${place} after ${queries} queries`
      events.push(event)
      if (harm === "outage") {
        done.outages++
        await server.crash()
        await wait(random.between(500, 4_000))
        await server.start()
        looks.push(look(event))
        continue
      }
      const one = all[place]
      if (one === undefined) continue
      if (harm === "freeze") {
        done.freezes++
        one.send("SIGSTOP")
        waking.push(wait(untilTakenOver).then(() => one.send("SIGCONT")))
        looks.push(look(event))
        continue
      }
      if (harm === "kill") done.kills++
      else done.interruptions++
      one.send(harm === "kill" ? "SIGKILL" : "SIGINT")
      // One that is frozen ends when it wakes up.
      all[place] = startWorker(shared)
      looks.push(look(event))
    }
    await Promise.all([...waking, ...looks])
    for (const { code, stderr } of await Promise.all(all.map(({ ended }) => ended)))
      if (code !== 0) broken.push(`a worker ended with ${code}: ${stderr.trim().split("\n").slice(-2).join(" / ")}`)
    if (broken.length === 0) broken.push(...(await problemsOf(shared, { node, chain, stops: stopsOf(done) })))
  } finally {
    killBackfills()
    await node.close()
  }
  return {
    row: `${processes} processes`,
    figures: {
      calls: node.calls(),
      ...done,
      "credits charged": node.charged(),
      "answers paid twice": paidTwice(node.answered),
    },
    events,
    broken,
  }
}

const shuffled = <A>(random: Random, values: ReadonlyArray<A>): ReadonlyArray<A> =>
  values
    .map((value) => ({ value, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value)

const stopsOf = ({ freezes, interruptions, kills }: Readonly<Record<"freezes" | "interruptions" | "kills", number>>) =>
  freezes + interruptions + kills

interface Manifest {
  readonly state: string
  readonly parts: ReadonlyArray<{ readonly file: string }>
}

const linesOf = (logs: ReadonlyArray<object>): string => logs.map((log) => `${JSON.stringify(log)}\n`).join("")

interface Outcome {
  readonly node: Node
  readonly chain: Chain
  readonly stops: number
}

const problemsOf = async (shared: Shared, { chain, node, stops }: Outcome): Promise<ReadonlyArray<string>> => {
  const logs = join(shared.folder, "logs")
  const { parts, state } = JSON.parse(readFileSync(join(logs, "_manifest.json"), "utf8")) as Manifest
  const names = parts.map(({ file }) => file)
  const found = names.map((name) => readFileSync(join(logs, name), "utf8")).join("")
  const files = readdirSync(logs).filter((name) => name !== ".backfill" && name !== "_manifest.json")
  const ledger = await ledgerProblem(shared, node)
  const twice = paidTwice(node.answered)
  // Where a piece is cut, the call in flight may reach into the other half.
  const most = stops * lanes + parts.length - 1
  return [
    ...(state === "done" ? [] : [`the manifest says ${state}`]),
    ...(found === linesOf(chain.logs(0, head))
      ? []
      : ["the parts do not have each log of the chain once and in order"]),
    ...(files.toSorted().join() === names.join() ? [] : [`the folder has ${files.join(", ")}`]),
    ...(ledger === undefined ? [] : [ledger]),
    ...(twice <= most ? [] : [`${twice} answers were paid for twice, expected ${most} at most after ${stops} stops`]),
  ]
}

/**
 * What the ledger says too little at this moment, while processes work. What one had reserved that was killed lately is counted as spent
 * once its lease has expired.
 */
const ledgerProblem = async (shared: Shared, node: Node): Promise<string | undefined> => {
  // Before the question: more may be charged until it is answered.
  const charged = node.charged()
  const { reserved, spent } = (await asked(shared, "credits")) as { readonly reserved: number; readonly spent: number }
  return spent + reserved >= charged
    ? undefined
    : `the node charged ${charged}, and the ledger says ${spent} and ${reserved} reserved`
}
