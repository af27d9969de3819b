/** `dotrpc cost`, in repositories of its own. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { removeFolders, temporaryFolder } from "./folders.ts"

afterAll(removeFolders)

const logs = (name: string) => `### Logs\n# @name ${name}\neth_getLogs [{ "fromBlock": "0x0", "toBlock": "0xff" }]\n`
const network = { plugin: "evm", url: "https://node.example/v3/{{$secret.NOT_SET}}" }
const config = JSON.stringify({ networks: { node: network } })
const fence = `# Page\n\n\`\`\`rpc\n${logs("page")}\`\`\`\n`

type Files = Readonly<Record<string, string | null>>

const write = (cwd: string, files: Files) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    if (text === null) rmSync(join(cwd, name))
    else writeFileSync(join(cwd, name), text)
  }
}

const gitIn = (cwd: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd, encoding: "utf8" })

/** A repository with a commit for each of these, each tagged with its number. */
const repository = (...commits: ReadonlyArray<Files>): string => {
  const cwd = temporaryFolder()
  gitIn(cwd, "init", "-q")
  for (const [index, files] of commits.entries()) {
    write(cwd, files)
    gitIn(cwd, "add", "-A")
    gitIn(cwd, "commit", "-q", "--allow-empty", "-m", String(index))
    gitIn(cwd, "tag", `v${index}`)
  }
  return cwd
}

const cost = async (cwd: string, ...args: ReadonlyArray<string>) => startAt({ cwd }, "cost", ...args).outcome

const base = { "rpc.config.json": config, "a.rpc": logs("a"), "docs/page.md": fence, "README.md": "# No fence\n" }
const change = { "a.rpc": `${logs("a")}\n${logs("b")}`, "b.rpc": logs("c"), "docs/page.md": null }

describe("a comparison", () => {
  it("has every file of either side, priced without a secret", async () => {
    const cwd = repository(base, change)
    const before = gitIn(cwd, "status", "--porcelain", "--ignored") + gitIn(cwd, "rev-parse", "HEAD")
    const { code, stderr, stdout } = await cost(cwd, "v0..v1", "--format", "json")
    expect([code, stderr]).toEqual([0, ""])
    const one = { min: 255, max: 255 }
    const two = { min: 510, max: 510 }
    const none = { min: 0, max: 0 }
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      base: "v0",
      head: "v1",
      unit: "credits",
      before: two,
      after: { min: 765, max: 765 },
      files: [
        { file: "a.rpc", before: one, after: two },
        { file: "b.rpc", before: none, after: one },
        { file: "docs/page.md", before: one, after: none },
      ],
    })
    expect(gitIn(cwd, "status", "--porcelain", "--ignored") + gitIn(cwd, "rev-parse", "HEAD")).toBe(before)
  })
  it("is with the working folder where only a base is named, files that are not added yet included", async () => {
    const cwd = repository(base)
    write(cwd, { "new.rpc": logs("n") })
    const { stdout } = await cost(cwd, "v0", "--format", "json")
    expect(JSON.parse(stdout)).toMatchObject({ head: "the working folder", after: { min: 765, max: 765 } })
  })
  it("is without the files that were deleted from the working folder", async () => {
    const cwd = repository(base)
    write(cwd, { "a.rpc": null })
    const { code, stderr, stdout } = await cost(cwd, "v0", "--format", "json")
    expect([code, stderr]).toEqual([0, ""])
    expect(JSON.parse(stdout)).toMatchObject({ before: { min: 510, max: 510 }, after: { min: 255, max: 255 } })
  })
  it("is of the working folder and below", async () => {
    const cwd = repository({ ...base, "sub/c.rpc": logs("c") }, { "sub/c.rpc": `${logs("c")}\n${logs("d")}` })
    const { stdout } = await cost(join(cwd, "sub"), "v0..v1", "--format", "json")
    expect(JSON.parse(stdout).files).toEqual([
      { file: "c.rpc", before: { min: 255, max: 255 }, after: { min: 510, max: 510 } },
    ])
  })
  it("has each provider, and a day", async () => {
    const args = ["v0..v1", "--format", "json", "--prices", "alchemy,quicknode", "--runs-per-day", "100"]
    const { stdout } = await cost(repository(base, change), ...args)
    const report = JSON.parse(stdout)
    expect(report.elsewhere.map(({ before, min, prices }: Record<string, unknown>) => [prices, before, min])).toEqual([
      ["alchemy", { min: 120, max: 120 }, 180],
      ["quicknode", { min: 40, max: 40 }, 60],
    ])
    expect(report.perDay).toEqual({ before: { min: 51_000, max: 51_000 }, after: { min: 76_500, max: 76_500 } })
  })
  it("uses the configuration of its own side", async () => {
    const dear = JSON.stringify({ networks: { node: { ...network, credits: { "*": 1_000 } } } })
    const { stdout } = await cost(repository(base, { "rpc.config.json": dear }), "v0..v1", "--format", "json")
    expect(JSON.parse(stdout)).toMatchObject({ before: { min: 510 }, after: { min: 2_000 } })
  })
  it("runs no command that the settings of the repository name", async () => {
    const cwd = repository(base)
    const ran = join(temporaryFolder(), "ran")
    gitIn(cwd, "config", "core.fsmonitor", `touch '${ran}'; false`)
    const { code } = await cost(cwd, "v0")
    expect([code, existsSync(ran)]).toEqual([0, false])
  })
  it("leaves no folder behind", async () => {
    const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith("dotrpc-cost-"))
    const before = left()
    await cost(repository(base, change), "v0..v1")
    expect(left()).toEqual(before)
  })
})

describe("a format", () => {
  const check = (format: string, words: ReadonlyArray<string>) =>
    it(`${format} shows the change`, async () => {
      const { stdout } = await cost(repository(base, change), "v0..v1", "--format", format)
      for (const each of words) expect(stdout).toContain(each)
    })
  check("pretty", ["a.rpc", "+255 credits (+100%)", "all files", "+255 credits (+50%)"])
  check("markdown", [
    "### Credits: +255 credits (+50%)",
    "| a.rpc | 255 credits | 510 credits | +255 credits (+100%) |",
  ])
  check("github", [
    "::warning file=a.rpc::+255 credits (+100%25): 255 credits before, 510 credits now",
    "::notice file=docs/page.md::−255",
  ])
  it("is not ended by the name of a file", async () => {
    const name = "a|b`c,d:e.rpc"
    const cwd = repository(base, { [name]: logs("x") })
    expect((await cost(cwd, "v0..v1", "--format", "markdown")).stdout).toContain("| a&#124;b&#96;c,d:e.rpc |")
    expect((await cost(cwd, "v0..v1", "--format", "github")).stdout).toContain("file=a|b`c%2Cd%3Ae.rpc::")
  })
})

describe("--max-increase", () => {
  const check = (limit: string, expected: number, ...more: ReadonlyArray<Files>) =>
    it(`${limit} ends with ${expected}`, async () => {
      const { code, stderr } = await cost(
        repository(base, ...(more.length === 0 ? [change] : more)),
        "v0..v1",
        "--max-increase",
        limit,
      )
      expect([code, stderr === ""]).toEqual([expected, expected === 0])
    })
  check("50%", 0)
  check("49%", 4)
  check("255", 0)
  check("254", 4)
  check("0", 0, { "a.rpc": null })
  check("1000000", 4, { "a.rpc": `${logs("a").replace("\n", "\n# @all\n")}` })
})

describe("what cannot be priced is named on either side, and --max-increase does not pass", () => {
  const link = (cwd: string, name: string, target: string) => {
    rmSync(join(cwd, name))
    symlinkSync(target, join(cwd, name))
  }
  const check = (said: string, spoil: (cwd: string) => void, words: RegExp, loseBlob = false) =>
    it(said, async () => {
      const cwd = repository(base)
      spoil(cwd)
      gitIn(cwd, "add", "-A")
      gitIn(cwd, "commit", "-q", "-m", "spoilt")
      gitIn(cwd, "tag", "v1")
      if (loseBlob) {
        const id = gitIn(cwd, "rev-parse", "v1:a.rpc")
        rmSync(join(cwd, ".git", "objects", id.slice(0, 2), id.slice(2).trim()), { force: true })
      }
      for (const [range, side] of [
        ["v0..v1", "after"],
        ["v1..v0", "before"],
      ] as const) {
        const { code, stderr, stdout } = await cost(cwd, range, "--max-increase", "1000000", "--format", "json")
        expect([range, code]).toEqual([range, 2])
        expect(stderr).toMatch(words)
        expect(JSON.parse(stdout).problems[side]).toEqual([expect.stringMatching(/^(?:a\.rpc|rpc\.config\.json)[: ]/)])
      }
    })
  check("a file with errors", (cwd) => write(cwd, { "a.rpc": "### Logs\neth_getLogs [" }), /v1: a\.rpc:2:13: /)
  check("a method that nobody knows", (cwd) => write(cwd, { "a.rpc": "### Logs\neth_getLgs []\n" }), /v1: a\.rpc:2:1: /)
  check(
    "a file that is too large",
    (cwd) => write(cwd, { "a.rpc": `${logs("a")}\n${"# x\n".repeat(1_200_000)}` }),
    /v1: a\.rpc is larger than 4 MiB$/m,
  )
  check("a link to nothing", (cwd) => link(cwd, "a.rpc", "../gone.rpc"), /v1: a\.rpc is a link to something other/)
  check("a link from the root of the disk", (cwd) => link(cwd, "a.rpc", "/README.md"), /v1: a\.rpc is a link to/)
  check("a link to itself", (cwd) => link(cwd, "a.rpc", "a.rpc"), /v1: a\.rpc is a link to something other/)
  check(
    "a configuration that is a link to a folder",
    (cwd) => link(cwd, "rpc.config.json", "docs"),
    /v1: rpc\.config\.json is a link to something other/,
  )
  check(
    "a text that the repository lacks",
    (cwd) => write(cwd, { "a.rpc": logs("lost") }),
    /v1: a\.rpc is missing in this copy of the repository/,
    true,
  )
  it("does not name a link to a file of the commit, which is priced as in the working folder", async () => {
    const cwd = repository(base)
    write(cwd, { "more/b.txt": `${logs("b")}\n${logs("c")}`, "more/config.txt": config })
    link(cwd, "a.rpc", "more/b.txt")
    link(cwd, "rpc.config.json", "more/config.txt")
    gitIn(cwd, "add", "-A")
    gitIn(cwd, "commit", "-q", "-m", "links")
    const here = await cost(cwd, "HEAD", "--max-increase", "0", "--format", "json")
    expect([here.code, here.stderr]).toEqual([0, ""])
    expect(JSON.parse(here.stdout)).toMatchObject({ before: { min: 765 }, after: { min: 765 } })
    expect((await cost(cwd, "HEAD~1..HEAD", "--max-increase", "254")).code).toBe(4)
  })
})

describe("bad input gets one sentence", () => {
  const check = (
    said: string,
    commits: ReadonlyArray<Files>,
    args: ReadonlyArray<string>,
    words: RegExp,
    expected = 2,
  ) =>
    it(said, async () => {
      const { code, stderr } = await cost(repository(...commits), ...args)
      expect(stderr).toMatch(words)
      expect([code, stderr.trim().split("\n").length]).toEqual([expected, 1])
    })
  check(
    "a range that git does not know",
    [base],
    ["gone..v0"],
    /^dotrpc: git does not know "gone": name a branch, a tag or a commit/,
  )
  check("a name that looks like a flag", [base], ["v0..--output=x"], /^dotrpc: git does not know "--output=x"/)
  check("a range of three", [base], ["v0...v0"], /is not a range: write BASE, or BASE\.\.HEAD$/m)
  check("no requests at all", [{ "README.md": "# None\n" }], ["v0..v0"], /^dotrpc: neither v0 nor v0 has a \.rpc file/)
  check(
    "a base without files",
    [{ "README.md": "# None\n" }, base],
    ["v0..v1"],
    /^dotrpc: v0 has no request here: all of v1 is new$/m,
    0,
  )
  check(
    "a configuration of the base that cannot be read",
    [{ ...base, "rpc.config.json": "{" }, base],
    ["v0..v1"],
    /^dotrpc: warning: v0: rpc\.config\.json:1:1: /,
    0,
  )
  check(
    "a configuration that cannot be read",
    [base, { "rpc.config.json": "{" }],
    ["v0..v1"],
    /^dotrpc: v1: rpc\.config\.json:1:1: /,
  )
  it("a folder without git", async () => {
    const cwd = temporaryFolder()
    expect(existsSync(join(cwd, ".git"))).toBe(false)
    const { code, stderr } = await cost(cwd)
    expect([code, stderr]).toEqual([
      2,
      "dotrpc: this folder is not in a git repository that git can read: run dotrpc cost in one\n",
    ])
  })
})
