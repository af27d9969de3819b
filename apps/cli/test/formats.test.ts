/** What a run and a call write for shells and spreadsheets, and how the name of a file says so. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { removeFolders, temporaryFolder } from "./folders.ts"

afterAll(removeFolders)

const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"

const file = `### logs
# @name logs
eth_getLogs [{ "address": "${token}", "fromBlock": "0x2", "toBlock": "0x10" }]

### rows
# @name rows
# @each rows.csv
eth_getBlockTransactionCountByNumber [{{row.at}}]

### supply
# @name supply
eth_call [{ "to": "${token}", "data": {{call("totalSupply()")}} }, "latest"]

### hash
# @name hash
eth_getBlockByNumber ["0x2", false]
?? result.number == "0x2"
`

const folderOf = () => {
  const folder = temporaryFolder()
  const networks = { evm: { plugin: "evm", url: "embedded:evm" } }
  writeFileSync(join(folder, "rpc.config.json"), JSON.stringify({ networks, ledger: "memory" }))
  writeFileSync(join(folder, "q.rpc"), file)
  writeFileSync(join(folder, "rows.csv"), "who,at\n=a,0x2\nb,0x3\n")
  return folder
}

const inFolder = (folder: string, ...args: ReadonlyArray<string>) =>
  startAt({ cwd: folder, env: { XDG_DATA_HOME: join(folder, "data") } }, ...args).outcome

describe("--format value", () => {
  const check = (what: string, args: ReadonlyArray<string>, expected: string | RegExp) =>
    it(what, async () => {
      const { code, stdout } = await inFolder(folderOf(), ...args, "--format", "value")
      expect([code, stdout]).toEqual([0, typeof expected === "string" ? expected : expect.stringMatching(expected)])
    })
  check("is the text of a text", ["call", "eth_chainId"], "0x7a69\n")
  check("is JSON of anything else", ["call", "eth_getBlockTransactionCountByHash", `0x${"0".repeat(64)}`], "null\n")
  check("is what bytes say by the ABI", ["run", "q.rpc", "--name", "supply"], /^\d{20,}\n$/)
  check("is a line for each row", ["run", "q.rpc", "--name", "rows"], /^0x\w+\n0x\w+\n$/)
  check("has no part in what a request needs", ["run", "q.rpc", "--name", "rows", "--name", "supply"], /^(?:\S+\n){3}$/)
})

describe("a Parquet file", () => {
  const written = async (folder: string, ...args: ReadonlyArray<string>) => {
    const { code, stderr } = await inFolder(folder, ...args, "--output", "a.parquet")
    expect([code, stderr.includes("undecoded")]).toEqual([0, false])
    return readFileSync(join(folder, "a.parquet"))
  }
  it("is what a scan writes", async () => {
    const folder = folderOf()
    const bytes = await written(folder, "run", "q.rpc", "--name", "logs")
    expect((await inFolder(folder, "scan", "q.rpc", "--name", "logs", "--output", "scan.parquet")).code).toBe(0)
    expect(bytes.equals(readFileSync(join(folder, "scan.parquet")))).toBe(true)
    const logs = `{ "address": "${token}", "fromBlock": "0x2", "toBlock": "0x10" }`
    expect((await written(folder, "call", "eth_getLogs", logs, "--network", "evm")).equals(bytes)).toBe(true)
  })
  it("stays as it was where nothing was answered", async () => {
    const folder = folderOf()
    const bytes = await written(folder, "run", "q.rpc", "--name", "logs")
    const again = ["run", "q.rpc", "--name", "logs", "--output", "a.parquet", "--max-credits", "1"]
    expect((await inFolder(folder, ...again)).code).toBe(4)
    expect(readFileSync(join(folder, "a.parquet")).equals(bytes)).toBe(true)
  })
  it("has the columns of each row first", async () => {
    const bytes = await written(folderOf(), "run", "q.rpc", "--name", "rows")
    const text = bytes.toString("latin1")
    expect(text).toMatch(/^PAR1[^]*=a[^]*who[^]*at[^]*status[^]*result[^]*PAR1$/)
  })
})

describe("--format csv", () => {
  it("has the columns and the rows of a scan", async () => {
    const folder = folderOf()
    const run = await inFolder(folder, "run", "q.rpc", "--name", "logs", "--format", "csv")
    expect(run.code).toBe(0)
    expect((await inFolder(folder, "scan", "q.rpc", "--name", "logs", "--output", "scan.csv")).code).toBe(0)
    expect(run.stdout).toBe(readFileSync(join(folder, "scan.csv"), "utf8"))
    const few = await inFolder(folder, "run", "q.rpc", "--name", "logs", "--format", "csv", "--rows", "2")
    expect(few.stdout).toBe(`${run.stdout.split("\r\n").slice(0, 3).join("\r\n")}\r\n`)
  })
  it("has the columns of each row first, and no formula", async () => {
    const { stdout } = await inFolder(folderOf(), "run", "q.rpc", "--name", "rows", "--format", "csv")
    expect(stdout).toMatch(/^who,at,status,result\r\n'=a,0x2,ok,0x\w+\r\nb,0x3,ok,0x\w+\r\n$/)
  })
  it("keeps the columns of a row beside members of its result that have their names", async () => {
    const folder = folderOf()
    const each = "# @each same.csv\neth_getBlockByNumber [{{row.number}}, false]\n"
    writeFileSync(join(folder, "q.rpc"), `### blocks\n# @name blocks\n${each}`)
    writeFileSync(join(folder, "same.csv"), "number,status,hash\n0x2,mine,own\n")
    const { stdout } = await inFolder(folder, "run", "q.rpc", "--format", "csv")
    const [head = "", line = ""] = stdout.split("\r\n")
    expect(head).toMatch(/^number,status,hash,status_,.*result\.hash,/)
    expect(line).toMatch(/^0x2,mine,own,ok,/)
  })
  it("has the cells of a row as its file has them, where some look like numbers", async () => {
    const folder = folderOf()
    writeFileSync(join(folder, "q.rpc"), '### balances\n# @each ids.csv\neth_getBalance [{{row.who}}, "latest"]\n')
    const zero = `0x${"0".repeat(40)}`
    writeFileSync(join(folder, "ids.csv"), `who,id\n${zero},001\n${zero},100\n${zero},"a,""b"""\n`)
    const { stdout } = await inFolder(folder, "run", "q.rpc", "--format", "csv")
    const cells = stdout.split("\r\n").map((line) => line.replace(`${zero},`, "").replace(/,ok.*/, ""))
    expect(cells.slice(1, 4)).toEqual(["001", "100", '"a,""b"""'])
  })
  it("has the columns of all rows first, also those that only later rows have", async () => {
    const folder = folderOf()
    const who = `"who": "0x${"0".repeat(40)}"`
    const rows = `@rows = [{ ${who} }, { ${who}, "note": "late" }]\n`
    writeFileSync(join(folder, "q.rpc"), `${rows}### balances\n# @each rows\neth_getBalance [{{row.who}}, "latest"]\n`)
    const { stdout } = await inFolder(folder, "run", "q.rpc", "--format", "csv")
    expect(stdout.split("\r\n").map((line) => line.replace(/0x0{40}/, ""))).toEqual([
      "who,note,status,result",
      expect.stringMatching(/^,,ok,0x/),
      expect.stringMatching(/^,late,ok,0x/),
      "",
    ])
  })
  it("has one row of a single value", async () => {
    const { stdout } = await inFolder(folderOf(), "run", "q.rpc", "--name", "hash", "--format", "csv")
    expect(stdout.split("\r\n")).toEqual([expect.stringContaining(",number,"), expect.stringContaining(",0x2,"), ""])
  })
})

describe("the name of --output says the format", () => {
  const check = (name: string, args: ReadonlyArray<string>, begins: RegExp) =>
    it([name, ...args].join(" "), async () => {
      const folder = folderOf()
      const outcome = await inFolder(folder, "run", "q.rpc", "--name", "logs", "--output", name, ...args)
      expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining("✓ logs") })
      expect(readFileSync(join(folder, name), "utf8")).toMatch(begins)
    })
  check("a.json", [], /^\{\n {2}"version": 1,/)
  check("a.ndjson", [], /^\{"file":"q\.rpc","name":"logs"/)
  check("a.xml", [], /^<\?xml [^]*<testsuite/)
  check("a.tap", [], /^TAP version 14\n/)
  check("a.CSV", [], /^block_number,/)
  check("a.txt", [], /^q\.rpc\n✓ logs/)
  check("report", [], /^q\.rpc\n✓ logs/)
  check("a.report", ["--format", "json"], /^\{\n {2}"version": 1,/)
  check("a.json", ["--format", "ndjson"], /^\{"file":"q\.rpc","name":"logs"/)
})

describe("tables and results alone", () => {
  const logs = ["call", "eth_getLogs", `[{"address":"${token}","fromBlock":"0x2","toBlock":"0x4"}]`]
  const check = (what: string, args: ReadonlyArray<string>, out: RegExp, err: RegExp, code = 0) =>
    it(what, async () => {
      const { code: ended, stderr, stdout } = await inFolder(folderOf(), ...args)
      expect([ended, stdout, stderr]).toEqual([code, expect.stringMatching(out), expect.stringMatching(err)])
    })
  check("--rows 2", [...logs, "--rows", "2"], /^call\n✓[^]*value\n(?: .*\n){2} {4}… \d+ more\n/, /^$/)
  check("--rows all", [...logs, "--rows", "all"], /^call\n✓(?![^]* more\n)[^]*\n(?: {4} +\d.*\n){17}\n1 ok/, /^$/)
  check("--quiet, a list", [...logs, "--quiet", "--rows", "1"], /^block .*value\n {4}2 .*\n… \d+ more\n$/, /^$/)
  check("--quiet, a value", ["call", "eth_chainId", "--quiet"], /^.*0x7a69.*\n$/, /^$/)
  check("--quiet, a failure", ["call", "eth_call", '{"to":"0x01"}', "--quiet"], /^$/, /A105/, 2)
  check("--quiet, refused", ["call", "eth_chainId", "--quiet", "--max-credits", "1"], /^$/, /--max-credits of 1/, 4)
})

describe("a format that does not fit is refused before anything is sent", () => {
  const check = (said: RegExp, ...args: ReadonlyArray<string>) =>
    it(args.join(" "), async () => {
      const folder = folderOf()
      const { code, stderr, stdout } = await inFolder(folder, "run", "q.rpc", ...args)
      expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(said)])
      expect(existsSync(join(folder, "a.csv"))).toBe(false)
    })
  check(/does not write \.doc files: expected a name that ends in one of \.json, \.ndjson, /, "--output", "a.doc")
  check(/has the rows of one request, and 4 would run: add --name with one of "logs", "rows"/, "--format", "csv")
  check(/has the rows of one request/, "--output", "a.csv")
  check(/does not write \.csv files with that --format/, "--output", "a.csv", "--format", "json", "--name", "logs")
  check(/a Parquet file has the rows of one request, and 4 would run/, "--output", "a.parquet")
  check(
    /does not write \.parquet files with that --format/,
    "--output",
    "a.parquet",
    "--format",
    "csv",
    "--name",
    "logs",
  )
  check(/does not write \.xlsx files/, "--output", "a.xlsx")
  check(/a plan has none/, "--format", "value", "--dry-run")
  check(/--rows is of tables, of CSV and of HTML/, "--format", "json", "--rows", "3")
  check(/expected a whole number of 1 or more, or all, got "0"/, "--rows", "0")
})

describe("a function of a contract by its address", () => {
  const holder = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
  const check = (args: ReadonlyArray<string>, code: number, out: RegExp, err = /^$/) =>
    it(args.join(" "), async () => {
      const { code: ended, stderr, stdout } = await inFolder(folderOf(), "call", ...args)
      expect([ended, stdout, stderr]).toEqual([code, expect.stringMatching(out), expect.stringMatching(err)])
    })
  check([token, "balanceOf(address)(uint256)", holder, "--quiet", "--format", "value"], 0, /^3776057696538197830664\n$/)
  check(
    [token, "function balanceOf(address) returns (uint256)", holder],
    0,
    / {2}3,776,057,696,538,197,830,664 · uint256/,
  )
  check([token, "balanceOf(address)(uint256)", holder, "--units", "auto"], 0, / {2}3,776\.057696538197830664 SMPL/)
  check([token, "f(uint256[],(bool,int8))(bool)", "[1,2]", "[true,-7]", "--dry-run"], 0, / f .*\n80 credits in total/)
  check([token, "balanceOf(address)", "5"], 2, /argument 1 expects an address of 20 bytes/)
  check([token, "balanceOf(address)"], 2, /A204 call: /)
  check([token, "balanceOf"], 2, /^$/, /"balanceOf" is not a function: after the address of a contract write one/)
  check([token], 2, /^$/, /"" is not a function: after the address of a contract/)
  check(["0x5fbd", "balanceOf(address)"], 2, /^$/, /"0x5fbd" is neither the name of a method nor the address/)
  check(["eth_chainId", "--units", "auto"], 2, /^$/, /--units auto is the token of a contract/)
  check([token, "a()", "--units", "usdc"], 2, /^$/, /expected auto or the address of a token, got "usdc"/)
})
