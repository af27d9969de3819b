/** Scans by dates on the embedded chain: block n, up to 999, is of 2023-11-14 22:13:20 UTC and 12 n seconds. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { removeFolders, temporaryFolder } from "./folders.ts"

afterAll(removeFolders)

const folderOf = () => {
  const folder = temporaryFolder()
  const networks = {
    near: { plugin: "evm", url: "http://127.0.0.1:9" },
    evm: { plugin: "evm", url: "embedded:evm" },
    l2: { plugin: "l2-events", url: "embedded:l2" },
  }
  writeFileSync(join(folder, "rpc.config.json"), JSON.stringify({ networks, ledger: "memory" }))
  return folder
}

const scan = (folder: string, ...args: ReadonlyArray<string>) =>
  startAt({ cwd: folder, env: { XDG_DATA_HOME: join(folder, "data") } }, "scan", ...args).outcome

const token = '[{"address":"0x5fbdb2315678afecb367f032d93f642f64180aa3"}]'

describe("a scan by dates", () => {
  const check = (what: string, args: ReadonlyArray<string>, code: number, said: RegExp) =>
    it(what, async () => {
      const outcome = await scan(folderOf(), ...args)
      expect(outcome.stderr).toMatch(said)
      expect(outcome.code).toBe(code)
    })
  const logs = ["eth_getLogs", token, "--network", "evm"]

  check(
    "has the blocks at or after one time and before another",
    [...logs, "--since", "2023-11-14 23:00", "--until", "2023-11-14T23:10Z"],
    0,
    / items of blocks 234–283 /,
  )
  check(
    "includes a block of the second of --since, and not one of the second of --until",
    [...logs, "--since", "2023-11-14T23:00:08Z", "--until", "2023-11-14T23:09:56Z"],
    0,
    / items of blocks 234–282 /,
  )
  check(
    "begins with the first block of the chain",
    [...logs, "--since", "2001-01-01", "--until", "2023-11-14 22:15"],
    0,
    / items of blocks 0–8 /,
  )
  check("keeps an end of the params", [...logs, "--since", "2023-11-15 01:30"], 0, / items of blocks 984–999 /)
  check(
    "reads blocks as well",
    ["eth_getBlockRange", '["0x0","latest",false]', "--network", "evm", "--until", "2023-11-14 22:15"],
    0,
    /^9 items of blocks 0–8 /,
  )
  check(
    "is empty before the first block, with what that cost",
    [...logs, "--until", "2001-01-01"],
    0,
    /^0 items: the chain has no block in this range of dates: all of its blocks are newer · \d+ calls · [\d,]+ credits/,
  )
  check(
    "is empty after the newest block, which it names",
    [...logs, "--since", "2024-01-01", "--until", "2024-01-02"],
    0,
    /^0 items: .* is 999 of 2023-11-15 01:33:08 UTC, which is older than the range.* · [12] calls? · [\d,]+ credits/,
  )
  check(
    "is empty after the newest block, without an end as well",
    [...logs, "--since", "2024-01-01"],
    0,
    /^0 items: .* before --since is 999 of 2023-11-15 01:33:08 UTC, and the end of the params is not after it\. The node may be behind · 2 calls · 160 credits/,
  )
  check(
    "is empty after the end of the params",
    ["eth_getLogs", '[{"fromBlock":"0x0","toBlock":"0x10"}]', "--network", "evm", "--since", "2023-11-15 01:30"],
    0,
    /^0 items: .* before --since is 983 of 2023-11-15 01:29:56 UTC, and the params end at block 16 · \d+ calls · [\d,]+ credits/,
  )
  check(
    "says which blocks had nothing",
    ["eth_getLogs", `[{"address":"0x${"1".repeat(40)}"}]`, "--network", "evm", "--since", "2023-11-15 01:30"],
    0,
    /^0 items of blocks 984–999 /,
  )
  check("refuses an end before its beginning", [...logs, "--since", "today", "--until", "yesterday"], 2, /not after/)
  check("refuses a beginning in the future", [...logs, "--since", "now + 1 day"], 2, /which is in the future/)
  check("refuses what is not a time", [...logs, "--since", "last tuesday"], 2, /--since: expected a time such as/)
  check(
    "refuses a method whose plugin cannot find blocks by time",
    [
      "l2_getEvents",
      '{"filter":{"from_block":{"block_number":0},"to_block":{"block_number":3},"chunk_size":10}}',
      "--network",
      "l2",
      "--since",
      "yesterday",
    ],
    2,
    /l2_getEvents cannot be scanned by dates/,
  )
  check(
    "stops at a limit before it has found its blocks",
    [...logs, "--since", "2023-11-14 23:00", "--max-credits", "100"],
    4,
    /refused: the call needs 80 credits, and --max-credits of 100 has 20 left/,
  )
})

it("a plan by dates sends nothing, and shows the price of finding the blocks", async () => {
  const { code, stdout } = await scan(folderOf(), "eth_getLogs", token, "--since", "2023-11-14", "--dry-run")
  expect(code).toBe(0)
  expect(stdout).toMatch(/^blocks at or after 2023-11-14 00:00:00 UTC\ndates {4}~80–2,720 credits, before the scan/)
  expect(stdout).toContain("nothing was sent")
})

describe("a scan by dates that is resumed by the command it prints keeps its blocks and its network, and does not look them up again", () => {
  it.each([
    ["of a method", ["eth_getLogs", "[{}]", "--network", "evm"]],
    ["of a request in a file", ["q.rpc", "--name", "logs", "--var", "to=latest"]],
  ])("%s", async (_, query) => {
    const folder = folderOf()
    const request = '### logs\n# @network evm\neth_getLogs [{ "toBlock": {{to}} }]\n'
    writeFileSync(join(folder, "q.rpc"), `@to = "0x5"\n\n${request}\n### others\neth_blockNumber\n`)
    const args = [...query, "--since", "2023-11-14 22:14", "--output", "logs.ndjson"]
    const stopped = await scan(folder, ...args, "--max-credits", "900")
    expect(stopped.code).toBe(4)
    const [, advised = ""] = /resume with: dotrpc scan (.*)$/m.exec(stopped.stderr) ?? []
    const words = [...advised.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word)
    expect(words.slice(0, query.length)).toEqual(query)
    const unlimited = words.filter((word, index) => ![word, words[index - 1]].includes("--max-credits"))
    const resumed = await scan(folder, ...unlimited, "--trace")
    expect(resumed).toMatchObject({ code: 0 })
    expect(resumed.stderr).toMatch(
      /^note: the blocks are those of the checkpoint: --since and --until are not looked up/,
    )
    // The last block is looked at once more, where the scan ends.
    expect(resumed.stderr.split("eth_getBlockByNumber")).toHaveLength(2)
    expect(resumed.stderr).toContain("items of blocks 4–999")
    const whole = await scan(folderOf(), "eth_getLogs", '[{"fromBlock":"0x4","toBlock":"0x3e7"}]', "--network", "evm")
    expect(readFileSync(join(folder, "logs.ndjson"), "utf8") === whole.stdout).toBe(true)
  })
})

it("a span cap of the configuration is not learned as one of the endpoint", async () => {
  const folder = folderOf()
  const file = join(folder, "rpc.config.json")
  const text = readFileSync(file, "utf8")
  const range = '[{"fromBlock":"0x0","toBlock":"0xff"}]'
  const logs = ["eth_getLogs", range, "--network", "evm"]
  writeFileSync(file, text.replace('"embedded:evm"', '"embedded:evm","spanCap":16'))
  expect((await scan(folder, ...logs)).stderr).toContain(" 16 calls · 4,080 credits")
  writeFileSync(file, text)
  expect((await scan(folder, ...logs)).stderr).toContain(" 1 call · 255 credits")
})
