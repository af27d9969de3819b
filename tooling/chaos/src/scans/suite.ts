/**
 * Scans of the command line over a node that breaks off, is behind and reorganizes its chain. They are killed and resumed until
 * they end; then their output is compared with the chain, and the ledger with what the node charged.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CreditLedger } from "@dotrpc/core"
import { Effect } from "effect"
import type { Random } from "../Random.ts"
import type { Round, Suite } from "../Suite.ts"
import { type Chain, type Log, makeChain } from "./chain.ts"
import { type Node, paidTwice, startNode } from "./node.ts"
import { type Ended, killScans, output, startScan } from "./ScanProcess.ts"

export const openScans = async (): Promise<Suite> => {
  const root = mkdtempSync(join(tmpdir(), "dotrpc-chaos-"))
  return {
    round: (number, random) => {
      const folder = join(root, `${number}`)
      mkdirSync(folder)
      return playRound(random, folder)
    },
    close: async () => {
      killScans()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

const head = 500
/** Blocks below the end that a scan watches. */
const watched = 64
/** A reply that is cut off ends a scan. One that ends so often has met a fault that does not pass. */
const mostEnds = 20

const playRound = async (random: Random, folder: string): Promise<Round> => {
  const lanes = random.oneOf([1, 1, 4])
  const chain = makeChain(head, random)
  const node = await startNode(chain, random, 2)
  writeFileSync(
    join(folder, "rpc.config.json"),
    JSON.stringify({
      networks: { evm: { plugin: "evm", url: node.url } },
      ledger: "file",
      limits: { daily: 10_000_000 },
    }),
  )
  const played: Played = {
    kills: 0,
    interruptions: 0,
    reorganizations: 0,
    queries: 0,
    left: random.between(1, 4),
    lowest: head + 1,
    events: [],
    last: undefined,
  }
  try {
    await scanToEnd(played, { chain, folder, lanes, node, random })
  } finally {
    await node.close()
  }
  return roundOf(played, node, lanes, folder)
}

interface Played {
  kills: number
  interruptions: number
  reorganizations: number
  /** How many queries the node had when something was done last. */
  queries: number
  /** What is still to be done to the scan. */
  left: number
  /** The first block that was replaced. */
  lowest: number
  readonly events: Array<string>
  /** The last scan, once it has ended. */
  last: Ended | undefined
}

interface ScanSetup {
  readonly chain: Chain
  readonly folder: string
  readonly lanes: number
  readonly node: Node
  readonly random: Random
}

/** Starts the scan again after each stop, until it has come to its end. */
const scanToEnd = async (played: Played, place: ScanSetup): Promise<void> => {
  for (let ends = 0; ends < mostEnds;) {
    const scan = startScan(place.folder, place.lanes)
    const isStopped = await disturb(played, scan, place)
    played.last = await scan.ended
    if (played.last.code === 0 || isReorganized(played.last)) return
    if (isStopped) continue
    ends++
    const words = played.last.stderr.trim().split("\n").slice(-2).join(" / ")
    played.events.push(`ended with ${played.last.code}: ${words}`)
  }
}

/** Does something to a scan now and then, until it is stopped or has ended; whether it was stopped. */
const disturb = async (
  played: Played,
  scan: ReturnType<typeof startScan>,
  { chain, node, random }: ScanSetup,
): Promise<boolean> => {
  const { events } = played
  while (played.left > 0) {
    played.queries += random.between(1, 12)
    const first = await Promise.race([scan.ended, node.reached(played.queries)])
    if (first !== undefined) break
    played.left--
    const what = random.next()
    if (what < 0.5) {
      events.push(`killed after ${played.queries} queries`)
      played.kills++
      scan.kill()
      return true
    }
    if (what < 0.65) {
      events.push(`interrupted after ${played.queries} queries`)
      played.interruptions++
      scan.interrupt()
      return true
    }
    const blocks = random.isTrue(0.8) ? random.between(1, watched - 1) : random.between(watched, 3 * watched)
    events.push(`the last ${blocks} blocks were replaced after ${played.queries} queries`)
    played.reorganizations++
    chain.replace(blocks)
    played.lowest = Math.min(played.lowest, head - blocks + 1)
  }
  return false
}

const roundOf = async (
  { events, interruptions, kills, last, lowest, reorganizations }: Played,
  node: Node,
  lanes: number,
  folder: string,
): Promise<Round> => {
  const { reserved, spent } = await Effect.runPromise(
    Effect.provide(CreditLedger.CreditLedger.balance, ledgerIn(folder)).pipe(Effect.orDie),
  )
  const stops = kills + interruptions
  const twice = reorganizations > 0 ? 0 : paidTwice(node.answered)
  const lines = linesOf(folder)
  const broken = [
    ...outputProblems(lines, node, last, lowest),
    ...(spent + reserved < node.charged()
      ? [`the node charged ${node.charged()}, and the ledger says ${spent} and ${reserved} reserved`]
      : []),
    ...(twice > stops * lanes ? [`${twice} answers were paid for twice after ${stops} stops with ${lanes} lanes`] : []),
  ]
  return {
    row: lanes === 1 ? "1 lane" : `${lanes} lanes`,
    figures: {
      calls: node.calls(),
      kills,
      interruptions,
      reorganizations,
      "other faults": node.faults(),
      lines: lines.length,
      "credits charged": node.charged(),
      "answers paid twice": twice,
      "most paid twice, per stop": stops === 0 ? 0 : twice / stops,
    },
    events,
    broken,
  }
}

const ledgerIn = (folder: string) =>
  CreditLedger.layerFile(
    CreditLedger.defaultFile({
      platform: process.platform,
      home: folder,
      env: { XDG_DATA_HOME: join(folder, "data") },
    }),
    { daily: 10_000_000 },
  )

const isReorganized = ({ stderr }: Ended): boolean => stderr.includes("the chain was reorganized while it was scanned")

const linesOf = (folder: string): ReadonlyArray<Log & { readonly removed: boolean }> =>
  readFileSync(join(folder, output), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Log & { readonly removed: boolean })

const nameOf = ({ blockHash, logIndex }: Log): string =>
  `${Number.parseInt(blockHash.slice(-8), 16)} ${blockHash} ${logIndex}`

/** What is wrong with the lines: those taken back and those repeated cancel out, and what is left are the logs of the chain, in order. */
const outputProblems = (
  lines: ReadonlyArray<Log & { readonly removed: boolean }>,
  node: Node,
  last: Ended | undefined,
  lowest: number,
): ReadonlyArray<string> => {
  const said = last?.stderr.trim() ?? "nothing"
  if (last === undefined || (last.code !== 0 && !isReorganized(last))) return [`the scan does not end: ${said}`]
  // Of a chain that was reorganized too deep, the error says from where on the output is not of it, or that blocks before may differ.
  const named = said.includes("and perhaps some before it")
    ? lowest
    : Number(/from block (\d+) on/.exec(said)?.[1] ?? 0)
  const end = last.code === 0 ? Number.POSITIVE_INFINITY : named
  const kept = new Set<string>()
  for (const line of lines) {
    if (Number(line.blockNumber) >= end) continue
    const name = nameOf(line)
    if (line.removed !== kept.has(name))
      return [line.removed ? `${name} is taken back, and was not there` : `${name} is there twice`]
    if (line.removed) kept.delete(name)
    else kept.add(name)
  }
  const expected = node
    .lastLook()
    .filter(({ blockNumber }) => Number(blockNumber) < end)
    .map(nameOf)
  const found = [...kept]
  const place = expected.findIndex((name, index) => found[index] !== name)
  if (place >= 0) return [`line ${place + 1} is ${found[place]}, expected ${expected[place]}`]
  return found.length > expected.length ? [`there are ${found.length - expected.length} lines too many`] : []
}
