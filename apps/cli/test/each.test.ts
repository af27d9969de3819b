/** `# @each` as a person and a CI use it: rows of a file and of a result, on the embedded gateway. */
import { copyFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { spawnAt } from "./process.ts"
import { requests } from "./running.ts"
import { removeFolders, temporaryFolder } from "./folders.ts"

afterAll(removeFolders)

const address = (digit: number) => `0x${String(digit).repeat(40)}`
const holders = (count: number) =>
  `address,label\n${Array.from({ length: count }, (_, index) => `${address(index + 1)},h${index + 1}\n`).join("")}`
const balances = `### Balances\n# @each holders.csv\neth_getBalance [{{row.address}}, "latest"]\n?? result >= 0\n?? every(result >= 0)\n`

const folderWith = (text: string, files: Readonly<Record<string, string>>) => {
  const folder = temporaryFolder()
  copyFileSync(join(requests, "rpc.config.json"), join(folder, "rpc.config.json"))
  for (const [name, content] of Object.entries({ "a.rpc": text, ...files })) writeFileSync(join(folder, name), content)
  return folder
}

const runIn = (cwd: string, ...args: ReadonlyArray<string>) =>
  startAt({ cwd, env: { XDG_DATA_HOME: join(cwd, "data") } }, "run", "a.rpc", ...args).outcome

describe("dotrpc run with # @each", () => {
  const check = (name: string, args: ReadonlyArray<string>, expected: RegExp, code = 0) =>
    it(name, async () => {
      const outcome = await runIn(folderWith(balances, { "holders.csv": holders(3) }), ...args)
      expect(outcome.stdout).toMatch(expected)
      expect(outcome.code).toBe(code)
    })
  check("prices all rows", ["--dry-run"], /240 credits · 3 rows/)
  check("shows one table with the columns of the row first", [], /address +label +result\n +0x1+ +h1 +\S+/)
  check("reports each row", ["--format", "json"], /"rows": \[\s*\{\s*"index": 0,\s*"row": \{\s*"address": "0x1/)
  check("has a case for each check in JUnit", ["--format", "junit"], /tests="3" failures="0" errors="0"/)
  it("says in JUnit which row a check fails for, and in JSON which check of a row failed", async () => {
    const folder = folderWith(`${balances}?? result == 1\n`, { "holders.csv": holders(3) })
    const { stdout: junit } = await runIn(folder, "--format", "junit")
    expect(junit).toMatch(/<failure message="result == 1">fails for 3 of 3 rows; the first is holders\.csv:2: /)
    const { stdout: json } = await runIn(folder, "--format", "json")
    expect(json).toMatch(/"message": "1 of \d checks? failed: result == 1"/)
  })
  check("has a test for each check in TAP", ["--format", "tap"], /1\.\.3\nok 1 - a\.rpc: Balances \(3 rows · 3 calls/)
  check("stops at a limit", ["--max-credits", "200"], /2 of 3 rows were paid for; the next was refused/, 4)

  it("sends no rows of a file that a link leads to from another folder", async () => {
    const folder = folderWith(balances, {})
    const outside = temporaryFolder()
    writeFileSync(join(outside, "holders.csv"), holders(3))
    symlinkSync(join(outside, "holders.csv"), join(folder, "holders.csv"))
    const linked = await runIn(folder)
    expect(linked.stdout).toContain("beyond which no file may be named here: copy it there")
    expect(linked).toMatchObject({ code: 2 })
    symlinkSync(outside, join(folder, "data"))
    writeFileSync(join(folder, "a.rpc"), balances.replace("holders.csv", "data/holders.csv"))
    expect(await runIn(folder)).toMatchObject({ code: 2 })
  })

  it("reads rows in UTF-16, and names the place of what is not UTF-8", async () => {
    const folder = folderWith(balances, {})
    writeFileSync(join(folder, "holders.csv"), Buffer.from(`\uFEFF${holders(2)}`, "utf16le"))
    expect((await runIn(folder)).stdout).toContain("2 rows")
    writeFileSync(join(folder, "holders.csv"), Buffer.from(holders(2).replace("h2", "é"), "latin1"))
    const { code, stdout } = await runIn(folder)
    expect(code).toBe(2)
    expect(stdout).toContain("A340 holders.csv is not in UTF-8 (line 3, column 44); save it as UTF-8")
    expect(stdout).toContain("0 credits spent")
  })

  it("sends the other rows only with --resume, and none after that", async () => {
    const folder = folderWith(balances, { "holders.csv": holders(4) })
    expect(await runIn(folder, "--max-credits", "160")).toMatchObject({ code: 4 })
    const report = await runIn(folder, "--resume", "--format", "json")
    expect(report.code).toBe(0)
    expect(JSON.parse(report.stdout)).toMatchObject({
      credits: { spent: 160 },
      files: [
        { requests: [{ status: "ok", rows: [{ resumed: true, credits: 0 }, { resumed: true }, { credits: 80 }, {}] }] },
      ],
    })
    const again = await runIn(folder, "--resume", "--format", "json")
    expect(again.stderr).toContain("a.rpc: earlier runs paid for all 4 rows: none is sent")
    expect(JSON.parse(again.stdout)).toMatchObject({ ok: true, credits: { spent: 0 } })
    expect(JSON.parse((await runIn(folder, "--format", "json")).stdout)).toMatchObject({ credits: { spent: 320 } })
  })

  it("says that no run kept rows", async () => {
    const { stderr } = await runIn(folderWith(balances, { "holders.csv": holders(1) }), "--resume")
    expect(stderr).toContain("no earlier run kept rows of a.rpc: all rows are sent")
  })

  it("pays for no row again of a request that is complete, and for a plain one", async () => {
    const counts = `### Counts\n# @each holders.csv\neth_getTransactionCount [{{row.address}}, "latest"]\n`
    const text = `${balances}${counts}### Plain\neth_getBalance ["${address(1)}", "latest"]\n`
    const folder = folderWith(text, { "holders.csv": holders(3) })
    const spent: Array<ReadonlyArray<number>> = []
    for (const flags of [["--max-credits", "400"], ["--resume"], ["--resume"]]) {
      const { stdout } = await runIn(folder, ...flags, "--format", "json")
      const report: {
        readonly files: ReadonlyArray<{ readonly requests: ReadonlyArray<{ readonly credits: number }> }>
      } = JSON.parse(stdout)
      spent.push(report.files.flatMap(({ requests }) => requests.map(({ credits }) => credits)))
    }
    expect(spent).toEqual([
      [240, 160, 0],
      [0, 80, 80],
      [0, 0, 80],
    ])
  })

  it("keeps what was paid for when a run without --resume sends less", async () => {
    const folder = folderWith(balances, { "holders.csv": holders(4) })
    await runIn(folder, "--max-credits", "240")
    await runIn(folder, "--max-credits", "80")
    const report = await runIn(folder, "--resume", "--format", "json")
    expect(JSON.parse(report.stdout)).toMatchObject({ credits: { spent: 80 } })
  })

  const refusesWith = (flag: string, expected: string) =>
    it(`refuses --resume with ${flag} before anything is sent`, async () => {
      const folder = folderWith(balances, { "holders.csv": holders(2) })
      const { code, stderr, stdout } = await runIn(folder, "--resume", flag, "tapes")
      expect({ code, stderr, stdout }).toMatchObject({ code: 2, stderr: expect.stringContaining(expected), stdout: "" })
    })
  refusesWith("--record", "--record needs the answer of every row")
  refusesWith("--replay", "remove --resume")

  it("keeps what was paid for when it is stopped again and again", async () => {
    const folder = folderWith(balances, { "holders.csv": holders(5) })
    for (const rows of [2, 4, 5]) {
      const flags = rows === 2 ? [] : ["--resume"]
      const { stdout } = await runIn(folder, ...flags, "--max-credits", "160", "--format", "json")
      const { length } = [...stdout.matchAll(/"status": "ok",\s*"result"/g)]
      expect(length).toBe(rows)
    }
  })

  it("names the line of a row that cannot be sent, and sends nothing", async () => {
    const folder = folderWith(balances, { "holders.csv": `${holders(2)}nobody,x\n` })
    const { code, stdout } = await runIn(folder)
    expect(code).toBe(2)
    expect(stdout).toContain("A341 holders.csv:4: address: expected an address of 20 bytes")
    expect(stdout).toContain("0 credits spent")
  })

  it("says what rows of a result cost before they are sent", async () => {
    const text = `### a\n# @name logs\neth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x40" }]\n### b\n# @each logs\neth_getTransactionReceipt [{{row.transactionHash}}]\n`
    const { stdout } = await runIn(folderWith(text, {}))
    expect(stdout).toMatch(/b: \d+ rows?, ~?[\d,–]+ credits/)
  })

  it("prices what is left with --resume --dry-run", async () => {
    const folder = folderWith(balances, { "holders.csv": holders(4) })
    const plan = () => runIn(folder, "--resume", "--dry-run")
    expect((await plan()).stdout).toMatch(/320 credits · 4 rows/)
    await runIn(folder, "--max-credits", "160")
    expect((await plan()).stdout).toMatch(/160 credits · 2 rows/)
    await runIn(folder, "--resume")
    expect((await plan()).stdout).toMatch(/ 0 credits · 0 rows/)
  })

  it("says how many rows were paid for when it is interrupted, and resumes with the others", async () => {
    const folder = folderWith(balances, { "holders.csv": holders(9) })
    const networks = { evm: { plugin: "evm", url: "embedded:evm" } }
    writeFileSync(
      join(folder, "rpc.config.json"),
      JSON.stringify({ ledger: "memory", limits: { perSecond: 160 }, networks }),
    )
    const place = { cwd: folder, env: { XDG_DATA_HOME: join(folder, "data") } }
    const running = spawnAt(place, "run", "a.rpc", "--trace")
    await running.printed("80 credits")
    running.send("SIGINT")
    const { code, stderr } = await running.outcome
    expect(code).toBe(130)
    const [, paid = ""] = /; (\d) of 9 rows were paid for: --resume sends the others only\n/.exec(stderr) ?? []
    expect(paid).toMatch(/[1-8]/)
    expect((await runIn(folder, "--resume", "--dry-run")).stdout).toContain(`· ${9 - Number(paid)} row`)
  })
})
