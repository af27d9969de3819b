/** Help in 80 columns, and names that a shell completes. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { dotrpc, startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

describe("help fits 80 columns, and has no marks of shells", () => {
  const commands = [
    "run",
    "watch",
    "call",
    "check",
    "scan",
    "meter",
    "mcp",
    "gateway",
    "cost",
    "init",
    "doctor",
    "explain",
  ]
  it.each([...commands, "backfill start", "import http", "export curl", ""])("dotrpc %s --help", async (command) => {
    const { stdout } = await dotrpc(...command.split(" ").filter((word) => word !== ""), "--help")
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([])
    expect(stdout).not.toContain("names-of-")
  })
})

it("dotrpc alone says how to begin", async () =>
  expect(await dotrpc()).toMatchObject({ code: 0, stdout: expect.stringContaining("dotrpc init ") }))

describe("shells are offered", () => {
  const check = (kind: string, names: ReadonlyArray<string>) =>
    it(kind, async () => {
      const cwd = temporaryFolder()
      const networks = { evm: { plugin: "evm", url: "embedded:evm" } }
      writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ networks, environments: { prod: {} } }))
      writeFileSync(join(cwd, "a.rpc"), "### A\n# @name first\n# @tag fast\neth_blockNumber\n")
      const { stdout } = await startAt({ cwd }, "--names", kind).outcome
      expect(stdout.trim().split("\n")).toEqual(expect.arrayContaining([...names]))
    })
  check("networks", ["evm"])
  check("environments", ["prod"])
  check("requests", ["first"])
  check("tags", ["fast"])
  check("sheets", ["alchemy"])
  check("methods", ["eth_getLogs"])
  check("targets", ["a.rpc", "eth_getLogs"])
  check("words", ["A105", "@units", "hex", "eth_getLogs", "check-failed"])
  it("nothing for a kind that does not exist, and the kinds to whoever asks", async () => {
    const words = /^dotrpc: --names needs one of networks, environments, requests, .*, words\n$/
    for (const kind of [["WRONG"], []])
      expect(await dotrpc("--names", ...kind)).toMatchObject({
        code: 2,
        stdout: "",
        stderr: expect.stringMatching(words),
      })
  })
  it.each(["bash", "zsh", "fish", "powershell"])(
    "names by the script for %s, which has no mark left",
    async (shell) => {
      const { stdout } = await dotrpc("--completions", shell)
      expect(stdout).toContain("dotrpc --names networks 2>")
      expect(stdout).not.toContain("names-of-")
    },
  )
})

describe("a flag of another tool", () => {
  const check = (args: ReadonlyArray<string>, meant: string) =>
    it(args.join(" "), async () =>
      expect(await dotrpc(...args)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`did you mean "${meant}"?`),
      }),
    )
  check(["run", "a.rpc", "--plan"], "--dry-run")
  check(["run", "a.rpc", "--plann"], "--dry-run")
  check(["run", "a.rpc", "--budget", "5"], "--max-credits")
  check(["mpc"], "mcp")
  check(["explain", "len"], "length")
})

describe("dotrpc explain", () => {
  const check = (word: string, said: string) =>
    it(word, async () =>
      expect(await dotrpc("explain", word)).toMatchObject({ code: 0, stdout: expect.stringContaining(said) }),
    )
  check("hex", '{{hex(100)}}    // "0x64"')
  check("now()", "Seconds since 1970")
  check("every", "every row")
  check("slot", "    {{slot(0)}}")
  check("eth_getlogs", "**Price.** 255 credits")
  check("refused", "a budget or a limit forbade it")
})
