import { execFile } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { printedBy } from "./printed.ts"

const examples = join(import.meta.dirname, "..")
const dotrpc = join(examples, "../apps/cli/dist/dotrpc.mjs")

const node = (...args: ReadonlyArray<string>) =>
  new Promise<{ code: number; stdout: string; output: string }>((resolve) =>
    execFile(
      process.execPath,
      [...args],
      { cwd: examples, env: { ...process.env, NO_COLOR: "1" }, maxBuffer: 100_000_000 },
      (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, output: stdout + stderr }),
    ),
  )

describe("saved requests", () => {
  it("are formatted", async () => {
    const { code, output } = await node(dotrpc, "fmt", "--check", ".")
    expect(output).toMatch(/0 to format/)
    expect(code).toBe(0)
  })

  describe("of all files run together, and every check holds:", () => {
    const files = readdirSync(examples).filter((name) => name.endsWith(".rpc"))
    let report: Report
    beforeAll(async () => {
      const { stdout } = await node(dotrpc, "run", ...files, "--format", "json")
      report = JSON.parse(stdout)
    })

    for (const file of files)
      it(file, () => {
        const { requests = [] } = report.files.find((one) => one.file === file) ?? {}
        expect(requests.map(({ status }) => status)).not.toEqual([])
        const failed = requests.filter(
          ({ checks = [], compare, status }) =>
            // An error that a check expects is one.
            !(status === "ok" || (status === "rpc-error" && checks.length > 0)) ||
            compare?.equal === false ||
            checks.some(({ ok }) => !ok),
        )
        expect(failed).toEqual([])
      })
    it("as the report says", () => expect(report.ok).toBe(true))

    // An editor shows the same price above each request: its flow "price" compares it with what a click pays.
    it("each request takes from the ledger what its plan says", async () => {
      const { stdout } = await node(dotrpc, "run", ...files, "--dry-run", "--format", "json")
      const plan: Report = JSON.parse(stdout)
      const requestsOf = (of: Report) =>
        of.files.flatMap(({ file, requests }) => requests.map((one) => ({ file, ...one })))
      const planned = requestsOf(plan)
      const paidFor = requestsOf(report).map((request, index) => {
        const { compare, credits, saved = 0 } = request
        return { ...request, paid: credits + (compare?.credits ?? 0), saved, estimated: planned[index]?.estimated }
      })
      const outside = paidFor.filter(({ estimated, paid, saved }) => {
        const { max, min } = estimated ?? { min: Infinity, max: null }
        // Calls that went together cost less than each alone.
        return paid + saved < min || paid > (max ?? Infinity)
      })
      expect(outside).toEqual([])
      const { remaining, spent } = report.credits
      expect(paidFor.reduce((sum, { paid }) => sum + paid, 0)).toBe(spent)
      expect(remaining).toBe(daily - spent)
    })
  })
})

/** What a ledger in memory begins with. */
const daily = 3_000_000

interface Report {
  readonly ok: boolean
  readonly credits: { readonly spent: number; readonly remaining?: number }
  readonly files: ReadonlyArray<{
    readonly file: string
    readonly requests: ReadonlyArray<{
      readonly status: string
      readonly credits: number
      /** What it would have cost more alone. */
      readonly saved?: number
      readonly estimated?: { readonly min: number; readonly max: number | null }
      readonly compare?: { readonly equal: boolean; readonly credits: number }
      readonly checks?: ReadonlyArray<{ readonly ok: boolean }>
    }>
  }>
}

describe("scripts", () => {
  for (const file of readdirSync(join(examples, "scripts"))) {
    it(`${file} says how to run it, and the README what it shows`, () => {
      expect(readFileSync(join(examples, "scripts", file), "utf8")).toContain(`exec node examples/scripts/${file}`)
      expect(readFileSync(join(examples, "README.md"), "utf8")).toContain(`[${file}](scripts/${file})`)
    })
  }

  const check = (file: string, said: RegExp) =>
    it(`${file} prints what it promises`, async () =>
      expect(await printedBy(join(examples, "scripts", file))).toMatch(said))
  check(
    "busiest-senders.ts",
    /^evm: 0x[0-9a-f]{40} sent \d+ times\nl2: {2}0x[0-9a-f]+ emitted \d+ of the first 250 transfers\n\d+ credits spent, \d+ left today\n$/,
  )
  check(
    "two-pipelines.ts",
    /^(interactive: slot \d holds \d+\n){5}background: {2}\d+ logs, then: refused: .* the daily limit of 1300 has .* 325 are kept for interactive calls\..*\n\d+ of 1300 credits spent\n$/,
  )
  check(
    "own-layer.ts",
    /^\{"at":"[^"]+","method":"eth_getLogs","network":"evm","outcome":"rpc-error","ms":\d+\}\n(\{.*"outcome":"ok","ms":\d+\}\n)+12000 logs\n$/,
  )
  check(
    "viem.ts",
    /^reading all logs costs 255 to \? credits\n12000 logs in \d+ calls for \d+ credits\n367 transfers moved 487065\.985595652147291628 tokens\n$/,
  )
})
