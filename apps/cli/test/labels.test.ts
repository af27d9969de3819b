/** `labels` of a network: beside addresses in what a person reads, and nowhere else. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"

/** A folder with a request for logs and these labels. */
const folderOf = (labels: unknown): string => {
  const folder = temporaryFolder()
  const networks = { evm: { plugin: "evm", url: "embedded:evm", labels } }
  writeFileSync(join(folder, "rpc.config.json"), `{\n  "networks": ${JSON.stringify(networks)}\n}\n`)
  writeFileSync(
    join(folder, "a.rpc"),
    `###\neth_getLogs [{ "address": "${token}", "fromBlock": "0x1", "toBlock": "0x2" }]\n`,
  )
  return folder
}

const run = async (labels: unknown, ...options: ReadonlyArray<string>) =>
  startAt({ cwd: folderOf(labels) }, "run", "a.rpc", ...options).outcome

describe("labels", () => {
  it("stand beside the addresses of rows, without characters that steer a terminal", async () => {
    const { stdout } = await run({ [token]: "Treasury \u001b[31m\u202e!" })
    expect(stdout).toContain("Treasury ␛[31m\ufffd! (0x5fbdb2…180aa3)")
    expect(stdout).not.toContain("\u001b[31m")
  })
  it("are not in reports", async () => {
    const { stdout } = await run({ [token]: "Treasury" }, "--format", "json")
    expect(stdout).toContain(token)
    expect(stdout).not.toContain("Treasury")
  })
  const check = (what: string, labels: unknown, expected: RegExp) =>
    it(what, async () => {
      const { code, stderr, stdout } = await run(labels)
      expect(code).not.toBe(0)
      expect(stdout + stderr).toMatch(expected)
    })
  check(
    "of what is not an address of the network are refused at their place",
    { "0x5fbdb2": "Treasury" },
    /rpc\.config\.json:2:\d+: .*labels of network "evm": expected an address \(0x and 40 hex digits\), found "0x5fbdb2"/,
  )
  check(
    "with a wrong checksum are refused",
    { "0x5fbDB2315678afecb367f032d93F642f64180aa3": "Treasury" },
    /rpc\.config\.json:2:\d+: .*expected an address with its checksum/,
  )
  check(
    "of one address in two spellings are refused",
    { "0x5FbDB2315678afecb367f032d93F642f64180aa3": "One", [token]: "Two" },
    /rpc\.config\.json:2:\d+: .*the address has a label already: remove one of them/,
  )
})
