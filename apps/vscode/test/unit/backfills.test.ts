/** The view of backfills, and the commands that it runs: what a file says is shown, and steers nothing. */
import { readStatusFile, type StatusFile } from "@dotrpc/backfill/StatusFile"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

import { type BackfillNode, isWorkedOn, nodesOf, type SeenBackfill } from "../../src/backfills/backfillNodes.ts"
import { type CommandLine, creditsIn, folderProblem, resumeLine, stateLine } from "../../src/backfills/commandLine.ts"

const now = 1_000_000_000_000

const status: StatusFile = {
  version: 1,
  id: "5d0b7a01c2e3",
  revision: 3,
  at: now - 1_000,
  ended: false,
  method: "eth_getLogs",
  network: "evm",
  from: 0,
  to: 99_999,
  state: "running",
  why: "",
  follow: false,
  blocks: { read: 12_345, total: 100_000 },
  rows: 48_211,
  parts: 2,
  calls: 7,
  credits: 336,
  maxCredits: null,
  callsLeft: 50,
  creditsLeft: 2_400,
  millisLeft: 175_000,
  wake: 0,
  workers: [{ worker: "host-7-abc", pieces: 2, seenAt: now - 1_000 }],
  store: "folder",
  config: "../rpc.config.json",
  environment: null,
}

const seen = (change: Partial<StatusFile> = {}): SeenBackfill => ({
  folder: "file:///w/logs",
  name: "logs",
  status: { ...status, ...change },
})

const surroundings = { now, canRun: true, showTime: (millis: number) => `[${millis - now}]` }

const nodeOf = (backfill: SeenBackfill, canRun = true): BackfillNode => {
  const [node] = nodesOf([backfill], { ...surroundings, canRun })
  if (node === undefined) throw new Error("Each backfill has a line.")
  return node
}

describe("a backfill is described", () => {
  const check = (title: string, change: Partial<StatusFile>, description: string, actions: string) =>
    it(title, () => {
      const node = nodeOf(seen(change))
      expect([node.description, node.actions.join(" ")]).toEqual([description, actions])
    })
  check("that is worked on", {}, "12.3 % · running · about 3 min left · 336 credits", "pause cancel query reveal")
  check(
    "whose workers write nothing any more",
    { at: now - 60_000 },
    "12.3 % · no worker · 336 credits",
    "resume cancel query reveal",
  )
  check(
    "whose worker says that it has ended",
    { ended: true },
    "12.3 % · no worker · 336 credits",
    "resume cancel query reveal",
  )
  check(
    "that waits",
    { wake: now + 60_000 },
    "12.3 % · waits until [60000] · about 3 min left · 336 credits",
    "pause cancel query reveal",
  )
  check(
    "that has caught up with its chain",
    { follow: true, blocks: { read: 100, total: 100 }, wake: now + 60_000 },
    "100 % · up to date, looks again at [60000] · 336 credits",
    "pause cancel query reveal",
  )
  check("that is paused", { state: "paused" }, "12.3 % · paused · 336 credits", "resume cancel query reveal")
  check("that has failed", { state: "failed" }, "12.3 % · failed · 336 credits", "resume cancel query reveal")
  check("that is cancelled", { state: "cancelled" }, "12.3 % · cancelled · 336 credits", "resume query reveal")
  check("that is done", { state: "done", ended: true }, "100 % · done · 336 credits", "query reveal")
  check("without a part", { parts: 0 }, "12.3 % · running · about 3 min left · 336 credits", "pause cancel reveal")
  check(
    "with its state in a database",
    { store: "elsewhere" },
    "12.3 % · running · about 3 min left · 336 credits",
    "query reveal",
  )
  check(
    "that is almost whole",
    { blocks: { read: 99_999, total: 100_000 } },
    "99.9 % · running · about 3 min left · 336 credits",
    "pause cancel query reveal",
  )
  check(
    "that takes days",
    { millisLeft: 9 * 86_400_000 },
    "12.3 % · running · about 9 days left · 336 credits",
    "pause cancel query reveal",
  )
})

it("what runs comes first and is open, and what is over comes last", () => {
  const backfills = [
    { ...seen({ state: "done" }), name: "a" },
    { ...seen({ state: "paused" }), name: "c" },
    { ...seen(), name: "d" },
    { ...seen({ at: 0 }), name: "b" },
  ]
  const shown = nodesOf(backfills, surroundings).map(({ isOpen, label }) => `${label}${isOpen === true ? " open" : ""}`)
  expect(shown).toEqual(["d open", "b", "c", "a"])
  expect(nodesOf(backfills.slice(0, 1), surroundings)[0]?.isOpen).toBe(true)
})

it("is read to people who do not see it, in whole words", () => {
  expect(nodeOf(seen()).spoken).toBe(
    "logs, backfill of eth_getLogs, running, 12.3 percent read, about 3 min left, 336 credits",
  )
  expect(nodeOf(seen({ at: now - 60_000 })).spoken).toBe(
    "logs, backfill of eth_getLogs, no worker, the last one wrote at [-60000], 12.3 percent read, 336 credits",
  )
  expect(nodeOf(seen()).children?.at(-1)?.spoken).toBe("host-7-abc, reads 2 pieces")
})

it("has its numbers, its workers and why it stopped below it", () => {
  const why = "--max-credits of 400 is used up: resume with a higher one"
  const lines = (change: Partial<StatusFile>) =>
    nodeOf(seen(change)).children?.map(({ description, label }) => `${label} | ${description}`)
  expect(lines({})).toEqual([
    "12,345 of 100,000 blocks | 12.3 %",
    "48,211 rows | in 2 parts",
    "336 credits | 7 calls · about 2,400 more",
    "About 50 calls left | about 3 min",
    "host-7-abc | reads 2 pieces",
  ])
  expect(
    lines({ state: "paused", why, maxCredits: 400, creditsLeft: null, callsLeft: null, store: "elsewhere" }),
  ).toEqual([
    `${why} | `,
    "12,345 of 100,000 blocks | 12.3 %",
    "48,211 rows | in 2 parts",
    "336 credits | 7 calls · 400 at most",
    "host-7-abc | ",
    "Its state is in a database | pause, resume and cancel it in a terminal",
  ])
})

it("offers no command where none can be run", () => {
  expect(nodeOf(seen(), false).actions).toEqual(["reveal"])
  expect(nodeOf({ ...seen(), status: { problem: "its status cannot be read" } })).toMatchObject({
    description: "its status cannot be read",
    actions: ["reveal"],
  })
})

describe("a worker is believed to work", () => {
  const check = (title: string, change: Partial<StatusFile>, changedAt: number | undefined, expected: boolean) =>
    it(title, () => expect(isWorkedOn({ ...seen(change), changedAt }, now)).toBe(expected))
  check("that wrote a moment ago", {}, undefined, true)
  check("whose clock is another one, while its file changes", { at: 0 }, now - 1_000, true)
  check("no longer, when its file does not change", { at: 0 }, now - 60_000, false)
  check("no longer, when it wrote in the far future", { at: now * 9 }, undefined, false)
})

const lineOf = (line: CommandLine) => ("line" in line ? line.line : line.problem)

describe("a command is", () => {
  const check = (title: string, line: CommandLine, expected: string) =>
    it(title, () => expect(lineOf(line)).toBe(expected))
  check("to pause", stateLine("dotrpc", "pause", status), "dotrpc backfill pause 5d0b7a01c2e3 --output .")
  check("to cancel", stateLine("npx dotrpc", "cancel", status), "npx dotrpc backfill cancel 5d0b7a01c2e3 --output .")
  check(
    "to resume with the project of the worker before",
    resumeLine("dotrpc", { ...status, environment: "staging" }, 500),
    "dotrpc backfill resume 5d0b7a01c2e3 --output . --detach --config ../rpc.config.json --env staging --max-credits 500",
  )
  check(
    "to resume without a configuration",
    resumeLine("dotrpc", { ...status, config: null }, undefined),
    "dotrpc backfill resume 5d0b7a01c2e3 --output . --detach",
  )
  const refused = (what: string) => `It was started with ${what}: resume it in a terminal, with dotrpc backfill resume.`
  for (const config of [
    "../other.json",
    "/etc/rpc.config.json",
    "../$(id)/rpc.config.json",
    "x/rpc.config.json",
    "--x",
  ])
    check(
      `refused for the configuration ${config}`,
      resumeLine("dotrpc", { ...status, config }, undefined),
      refused("a configuration that is not in a folder above"),
    )
  for (const environment of ["a b", "--trust", "$(id)", "", "a;b", "'"])
    check(
      `refused for the environment "${environment}"`,
      resumeLine("dotrpc", { ...status, environment }, undefined),
      refused("an environment whose name has to be quoted"),
    )
})

it("a file that is made to run something runs nothing", () => {
  const part = fc.oneof(
    fc.constantFrom(
      "../",
      "rpc.config.json",
      "$(id)",
      ";",
      "`",
      "${command:x}",
      "\n",
      "'",
      '"',
      "--",
      " ",
      "&",
      "%PATH%",
      "e",
    ),
    fc.string(),
  )
  const text = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(""))
  const files = fc.sample(fc.record({ id: text, config: text, environment: text, limit: fc.option(fc.nat()) }), 2_000)
  const lines = files.flatMap(({ config, environment, id, limit }) => {
    const known = readStatusFile(JSON.stringify({ ...status, id, config, environment })) ?? {
      ...status,
      config,
      environment,
    }
    const both = [stateLine("dotrpc", "pause", known), resumeLine("dotrpc", known, limit ?? undefined)]
    return both.flatMap((line) => ("line" in line ? [line.line] : []))
  })
  const harmless = /^dotrpc(?: (?:[a-z\d][\w.-]*|--[a-z][a-z-]*|\.|(?:\.\.\/)*rpc\.config\.json))+$/i
  expect(lines.filter((line) => !harmless.test(line))).toEqual([])
  expect(lines.some((line) => line.includes("resume"))).toBe(true)
})

it("a folder whose path the editor would change is refused", () => {
  expect(folderProblem("/w/${command:x}/logs")).toContain("${")
  expect(folderProblem("/w/a b; $(id) '/logs")).toBe(undefined)
})

describe("credits are typed", () => {
  const check = (typed: string, expected: number | undefined) =>
    it(`"${typed}"`, () => expect(creditsIn(typed)).toBe(expected))
  check("500", 500)
  check(" 2,400 ", 2_400)
  check("0", undefined)
  check("-5", undefined)
  check("5 --trust", undefined)
  check("1e9", undefined)
  check("", undefined)
})
