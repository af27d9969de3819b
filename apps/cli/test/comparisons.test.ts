/** `--compare` and `# @compare` as people and CI use them: on the embedded gateway, and against a network that does not answer. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { Json } from "@dotrpc/spec"
import { temporaryFolder } from "./folders.ts"
import { startAt } from "./dotrpc.ts"

const holder = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
const balance = `### balance\neth_getBalance ["${holder}", "latest"]\n`

const runIn = (text: string, ...args: ReadonlyArray<string>) => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ ledger: "memory" }))
  writeFileSync(join(cwd, "a.rpc"), text)
  return startAt({ cwd }, "run", "a.rpc", ...args).outcome
}

const compareIn = (stdout: string) =>
  (Json.parse(stdout) as { files: [{ requests: [{ compare: Json.JsonObject }] }] }).files[0].requests[0].compare

describe("dotrpc run --compare", () => {
  it("exits with 0 when another network answers the same", async () => {
    const { code, stdout } = await runIn(balance, "--compare", "evm", "--format", "json")
    expect(code).toBe(0)
    expect(compareIn(stdout)).toMatchObject({ network: "evm", equal: true, differences: [], credits: 160 })
  })
  const differs = [
    ["--compare", balance, ["--compare", "evm-l2"]],
    ["# @compare", balance.replace("\n", "\n# @compare evm-l2\n"), []],
  ] as const
  it.each(differs)("exits with 1 when a value differs, by %s", async (_, text, flags) => {
    const { code, stdout } = await runIn(text, ...flags, "--format", "json")
    expect(code).toBe(1)
    const values = { left: expect.stringMatching(/^0x/), right: expect.stringMatching(/^0x/) }
    expect(compareIn(stdout)).toMatchObject({
      network: "evm-l2",
      equal: false,
      differences: [{ path: "result", ...values }],
      pinned: [{ tag: "latest", block: expect.any(Number) }],
    })
  })

  const check = (format: string, expected: RegExp) =>
    it(`reports what differs in ${format}`, async () => {
      const { stdout } = await runIn(balance, "--compare", "evm-l2", "--format", format)
      expect(stdout).toMatch(expected)
    })
  check("pretty", /≠ 1 value differs on evm-l2 · \d+ ms · 160 credits\n {6}- result: "0x\w+"\n {6}\+ result: "0x\w+"\n/)
  check("junit", /name="balance: @compare evm-l2"[^>]*>.*<failure message="1 value differs on evm-l2 [^"]*">- result: /)
  check("tap", /not ok 2 - a\.rpc: balance: @compare evm-l2\n {2}---\n(?: {2}.*\n)* {2}diff: "- result: /)
  check("ndjson", /"compare":\{"network":"evm-l2","status":"ok","equal":false,"differences":\[\{"path":"result",/)

  it("shows what both sides cost before it runs", async () => {
    const { code, stdout } = await runIn(balance, "--compare", "evm-l2", "--dry-run", "--format", "json")
    expect(code).toBe(0)
    expect(Json.parse(stdout)).toMatchObject({ credits: { spent: 0, estimated: { min: 320, max: 320 } } })
    expect(compareIn(stdout)).toEqual({ network: "evm-l2", host: null, estimated: { min: 80, max: 80 } })
    const { stdout: plan } = await runIn(balance, "--compare", "evm-l2", "--dry-run")
    expect(plan).toMatch(/block lookup +evm, evm-l2 +160 credits\n.* evm +80 credits\n.* evm-l2 +80 credits\n/)
  })
  it("adds up to the same in the table and in the report, where a budget stops the scans of both sides", async () => {
    const scan = '### all\n# @all\n# @budget 2000\neth_getLogs [{ "fromBlock": "0x0", "toBlock": "latest" }]\n'
    const flags = ["--compare", "evm-l2", "--dry-run"]
    const { stdout } = await runIn(`${scan}${scan.replace("all", "again")}`, ...flags, "--format", "json")
    const { credits } = Json.parse(stdout) as { credits: { estimated: { min: number; max: number } } }
    const { max, min } = credits.estimated
    expect(max).toBe(4_000)
    const { stdout: plan } = await runIn(`${scan}${scan.replace("all", "again")}`, ...flags)
    const digits = (amount: number) => amount.toLocaleString("en-US")
    expect(plan).toContain(`${digits(min)}–${digits(max)} credits in total`)
  })
  it("prices both sides at other providers", async () => {
    const { stdout: one } = await runIn(balance, "--dry-run", "--prices", "alchemy", "--format", "json")
    const { stdout: both } = await runIn(
      balance,
      "--compare",
      "evm-l2",
      "--dry-run",
      "--prices",
      "alchemy",
      "--format",
      "json",
    )
    const least = (text: string) => (Json.parse(text) as { elsewhere: [{ min: number }] }).elsewhere[0].min
    expect(least(both)).toBeGreaterThan(2 * least(one))
  })
  it("leaves out what # @ignore names", async () => {
    const text = `# @ignore result.hash result.parentHash\n### block\neth_getBlockByNumber ["latest", false]\n`
    const paths = (stdout: string) =>
      ((compareIn(stdout)["differences"] ?? []) as ReadonlyArray<{ path: string }>).map(({ path }) => path)
    const { stdout: all } = await runIn(text.slice(text.indexOf("###")), "--compare", "evm-l2", "--format", "json")
    expect(paths(all)).toContain("result.hash")
    const { stdout } = await runIn(text, "--compare", "evm-l2", "--format", "json")
    expect(paths(stdout)).toEqual(paths(all).filter((path) => !/result\.(hash|parentHash)$/.test(path)))
  })
  it("sends nothing that the run cannot pay for on both sides", async () => {
    const { code, stdout } = await runIn(balance, "--compare", "evm-l2", "--max-credits", "319", "--format", "json")
    expect(code).toBe(4)
    expect(Json.parse(stdout)).toMatchObject({ credits: { spent: 0 } })
  })
  it("refuses a network that the project does not have", async () => {
    const { code, stderr } = await runIn(balance, "--compare", "evm-12")
    expect([code, stderr]).toEqual([2, expect.stringContaining('unknown network "evm-12"; did you mean "evm-l2"?')])
  })
  it("reports which calls it does not compare", async () => {
    const { code, stdout } = await runIn("### chain\nl2_chainId []\n", "--compare", "evm-l2")
    expect(code).toBe(0)
    expect(stdout).toContain(
      'not compared: network "evm-l2" answers methods of evm, but l2_chainId is a method of l2-events',
    )
  })
})

describe("a comparison with a network that cannot be reached", () => {
  it("ends with the exit code of a failure, and keeps the key of each network from the other", async () => {
    const cwd = temporaryFolder()
    const networks = {
      evm: { plugin: "evm", url: "embedded:evm" },
      gone: { plugin: "evm", url: "http://127.0.0.1:2/v3/{{$secret.GONE_KEY}}" },
    }
    writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ networks, ledger: "memory" }))
    writeFileSync(join(cwd, "a.rpc"), `# @retry 0\n${balance}`)
    const key = "canary0123456789abcdef"
    const env = { GONE_KEY: key }
    const { code, stderr, stdout } = await startAt(
      { cwd, env },
      "run",
      "a.rpc",
      "--compare",
      "gone",
      "--format",
      "json",
    ).outcome
    expect(code).toBe(3)
    expect(compareIn(stdout)).toMatchObject({
      network: "gone",
      status: "failed",
      equal: null,
      differences: [],
      error: { id: expect.stringMatching(/^RPC-/) },
    })
    expect(stdout).toContain('"status": "compare-failed"')
    expect(`${stdout}${stderr}`).not.toContain(key)
    const { stdout: junit } = await startAt({ cwd, env }, "run", "a.rpc", "--compare", "gone", "--format", "junit")
      .outcome
    expect(junit).toMatch(/failures="0" errors="1"[^]*name="balance: @compare gone"[^\n]*<error type="Transport"/)
    const { stdout: pretty } = await startAt({ cwd, env }, "run", "a.rpc", "--compare", "gone").outcome
    expect(pretty).toContain("0 ok · 1 not compared · 0 of 1 comparisons equal")
  })
})
