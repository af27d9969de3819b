/** `dotrpc run --reuse`: results of the last hour are used where others read from them. */
import { createHash } from "node:crypto"
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { removeFolders, temporaryFolder } from "./folders.ts"
import { requests } from "./running.ts"

afterAll(removeFolders)

const text = `@token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"

### Head
# @name head
eth_blockNumber []

### Block
# @name block
eth_getBlockByNumber [{{head.result}}, false]

### Balance
# @name balance
eth_getBalance [{{token}}, {{block.result.number}}]
`

const folderWith = (files: Readonly<Record<string, string>> = { "a.rpc": text }) => {
  const folder = temporaryFolder()
  copyFileSync(join(requests, "rpc.config.json"), join(folder, "rpc.config.json"))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

const runIn = (cwd: string, ...args: ReadonlyArray<string>) =>
  startAt({ cwd, env: { XDG_DATA_HOME: join(cwd, "data") } }, "run", "a.rpc", ...args).outcome

interface Report {
  readonly credits: { readonly spent: number; readonly estimated: { readonly min: number; readonly max: number } }
  readonly files: ReadonlyArray<{
    readonly requests: ReadonlyArray<{
      readonly name: string
      readonly status: string
      readonly credits: number
      readonly result?: unknown
      readonly reusedFrom?: string
    }>
  }>
}

const reportOf = async (cwd: string, ...args: ReadonlyArray<string>): Promise<Report> =>
  JSON.parse((await runIn(cwd, ...args, "--format", "json")).stdout) as Report

/** Makes what is kept older, by minutes. */
const age = (folder: string, minutes: number) => {
  const rows = join(folder, "data", "dotrpc", "rows")
  for (const name of readdirSync(rows)) {
    const [head = "", ...lines] = readFileSync(join(rows, name), "utf8").split("\n")
    const older = lines.map((line) => {
      const json = line.slice(13).replace(/"at":(\d+)/, (_, at: string) => `"at":${Number(at) - minutes * 60_000}`)
      return line === "" ? "" : `${createHash("sha256").update(json).digest("hex").slice(0, 12)} ${json}`
    })
    writeFileSync(join(rows, name), [head, ...older].join("\n"))
  }
}

const reuse = ["--name", "balance", "--reuse"]

/** What a run with --reuse pays after one without, and that its plan says so. */
const check = (
  name: string,
  change: (folder: string) => void,
  args: ReadonlyArray<string>,
  expected: { readonly reused: ReadonlyArray<string>; readonly spent: number },
  first: ReadonlyArray<string> = [],
) =>
  it(name, async () => {
    const folder = folderWith()
    await runIn(folder, ...first)
    change(folder)
    const plan = await reportOf(folder, ...args, "--dry-run")
    expect(plan.credits.estimated.max).toBe(expected.spent)
    const report = await reportOf(folder, ...args)
    expect(report.credits).toMatchObject({ spent: expected.spent, estimated: { max: expected.spent } })
    for (const { files } of [plan, report])
      expect(files[0]?.requests.filter(({ reusedFrom }) => reusedFrom !== undefined).map((one) => one.name)).toEqual(
        expected.reused,
      )
    expect(report.files[0]?.requests.map(({ status }) => status)).toEqual(plan.files[0]?.requests.map(() => "ok"))
  })

const same = () => {}
/** The same chain at another URL, or under another name. */
const sameOn = (id: string) => (folder: string) => {
  const networks = {
    evm: { plugin: "evm", url: "embedded:evm" },
    [id]: { plugin: "evm", url: "embedded:evm", chainId: 1 },
  }
  writeFileSync(join(folder, "rpc.config.json"), JSON.stringify({ networks, ledger: "memory" }))
}
const rewrite = (from: string, to: string) => (folder: string) =>
  writeFileSync(join(folder, "a.rpc"), text.replace(from, to))

describe("a result of the last hour", () => {
  check("is used where others read from it", same, reuse, { reused: ["head", "block"], spent: 80 })
  check("is used in a run of the whole file", same, ["--reuse"], { reused: ["head", "block"], spent: 80 })
  check("is not used without the flag", same, ["--name", "balance"], { reused: [], spent: 240 })
  check("is not used of a request that is named", same, [...reuse, "--name", "block"], { reused: ["head"], spent: 160 })
  check("is used for 59 minutes", (folder) => age(folder, 59), reuse, { reused: ["head", "block"], spent: 80 })
  check("is not used after an hour", (folder) => age(folder, 61), reuse, { reused: [], spent: 240 })
  check("is not used where its text has changed", rewrite("false]", "true]"), reuse, { reused: ["head"], spent: 160 })
  check(
    "is used where another text has changed",
    rewrite("{{token}}", '"0x90f79bf6eb2c4f870365e785982e1f101e93b906"'),
    reuse,
    {
      reused: ["head", "block"],
      spent: 80,
    },
  )
  check("is not used on another network", sameOn("other"), [...reuse, "--network", "other"], { reused: [], spent: 240 })
  check("is not used elsewhere", sameOn("evm"), reuse, { reused: [], spent: 240 })
  check(
    "is kept by a run that uses others",
    (folder) => age(folder, 30),
    reuse,
    { reused: ["head", "block"], spent: 80 },
    reuse,
  )
})

it("says what is reused and from when, in a plan and in a run", async () => {
  const folder = folderWith()
  await runIn(folder)
  const when = /reused from \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/
  const plan = await runIn(folder, ...reuse, "--dry-run")
  expect(plan.stderr).toMatch(/a\.rpc: head is reused from .* UTC, which saves ~?80 credits/)
  expect(plan.stdout.match(new RegExp(when, "g"))).toHaveLength(2)
  const { stderr, stdout } = await runIn(folder, ...reuse)
  expect(stderr).toMatch(when)
  expect(stdout.match(new RegExp(when, "g"))).toHaveLength(2)
  const empty = await runIn(folderWith(), ...reuse)
  expect(empty.stderr).toContain("a.rpc: no result of the last hour can be reused: all requests are sent")
})

it("uses results of imported requests", async () => {
  const [head = "", own = ""] = text.split("### Balance\n")
  const folder = folderWith({
    "shared.rpc": head,
    "a.rpc": `# @import ./shared.rpc\n\n### Balance\n${own.replace("{{token}}", '"0x5fbdb2315678afecb367f032d93f642f64180aa3"')}`,
  })
  expect((await reportOf(folder)).credits.spent).toBe(240)
  expect((await reportOf(folder, ...reuse)).credits.spent).toBe(80)
})

it("is refused beside recordings", async () => {
  for (const flag of ["--record", "--replay"]) {
    const { code, stderr } = await runIn(folderWith(), "--reuse", flag, "tapes")
    expect([code, stderr]).toEqual([2, expect.stringContaining("--reuse")])
  }
})
