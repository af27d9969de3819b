/** `dotrpc explain`: the sections of docs/codes.md in a terminal. */
import { cpSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { directives } from "@dotrpc/lang"
import { directiveSummaries } from "@dotrpc/lang/docs"
import { describe, expect, it } from "vitest"
import { codesPage, readSections } from "../src/CodePage.ts"
import { Visible } from "@dotrpc/spec"
import { explainedNames } from "../src/commands/explain.ts"
import { dotrpc, startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"
import { binary, startScript } from "./process.ts"

describe("dotrpc explain", () => {
  const check = (what: string, args: ReadonlyArray<string>, expected: object) =>
    it(what, async () => expect(await dotrpc("explain", ...args)).toEqual(expected))

  const page = `L309 error: a hex literal where JSON is expected

Wrong:

    ### Logs
    eth_getLogs [{ "fromBlock": 0x10 }]

Right:

    ### Logs
    eth_getLogs [{ "fromBlock": "0x10" }]

JSON has no hex numbers. Put it in double quotes, or write \`{{0x10}}\`.
`
  check("prints the section of a code", ["L309"], { code: 0, stdout: page, stderr: "" })
  check("takes a code in lower case", ["l309"], { code: 0, stdout: page, stderr: "" })
  check("proposes the nearest code for an unknown one", ["rpc-20011"], {
    code: 2,
    stdout: "",
    stderr: 'dotrpc: unknown code "rpc-20011"; did you mean "RPC-2001"?\n',
  })
  check("says where all codes are when none is near", ["everything"], {
    code: 2,
    stdout: "",
    stderr: 'dotrpc: unknown word "everything"; dotrpc explain lists codes, dotrpc methods lists methods\n',
  })

  const refuse = (asked: string, what: string, meant: string | undefined) =>
    it(`says that ${asked} is an unknown ${what}`, async () => {
      const hint = meant === undefined ? "dotrpc explain lists" : `did you mean "${meant}"?\n`
      const { code, stderr } = await dotrpc("explain", asked)
      expect([code, stderr]).toEqual([2, expect.stringContaining(`dotrpc: unknown ${what} "${asked}"; ${hint}`)])
    })
  refuse("__proto__", "word", undefined)
  refuse("constructor", "word", undefined)
  refuse("127", "word", undefined)
  refuse("E1", "code", undefined)
  refuse("evm", "word", undefined)
  refuse("eth_getLgs", "word", "eth_getLogs")
  refuse("untis", "word", "units")
  refuse("len", "word", "length")

  it("knows a method by the end of its name", async () =>
    expect(await dotrpc("explain", "getlogs")).toEqual(await dotrpc("explain", "eth_getLogs")))
  it("shows tables and examples of docs without their marks", async () => {
    const { stdout } = await dotrpc("explain", "eth_getLogs")
    expect(stdout).not.toMatch(/^\||```|\|-/m)
    for (const name of explainedNames()) expect((await dotrpc("explain", name)).stdout).not.toMatch(/^\||```|\|-/m)
    expect((await dotrpc("explain", "call")).stdout).toMatch(/^ {4}\S/m)
  })

  it("takes the reason of a failed call for its code", async () => {
    const byCode = await dotrpc("explain", "RPC-2001")
    expect(byCode.stdout).toContain("RPC-2001 SplitRequired: ")
    expect(await dotrpc("explain", "SplitRequired")).toEqual(byCode)
  })
  check("does not take the severity of a problem for a name", ["warning"], {
    code: 2,
    stdout: "",
    stderr: 'dotrpc: unknown word "warning"; dotrpc explain lists codes, dotrpc methods lists methods\n',
  })

  for (const { example, name } of directives)
    it(`explains @${name}`, async () => {
      const { code, stderr, stdout } = await dotrpc("explain", `@${name}`)
      expect([code, stderr]).toEqual([0, ""])
      const [title, words, line] = stdout.trimEnd().split("\n\n")
      expect(title).toBe(`@${name} ${directiveSummaries[name]}`)
      expect(words?.replaceAll("\n", " ")).toMatch(/^It takes .+\. Write it (once|as often as needed), .+\.$/)
      expect(line).toBe(`    # @${name} ${example}`.trimEnd())
      expect(await dotrpc("explain", `# @${name}`)).toEqual({ code, stderr, stdout })
      expect((await dotrpc("explain", name)).stdout.startsWith(stdout)).toBe(true)
    })
  it.each([
    ["units", ["@units The token", "units(amount, unit)"]],
    ["event", ["event(signature)", "event(name)"]],
    ["snapshot", ["snapshot(path, …)"]],
  ])("shows all that has the name %s", async (name, titles) => {
    const { stdout } = await dotrpc("explain", name)
    for (const title of titles) expect(stdout).toMatch(new RegExp(`^${title.replaceAll(/[()]/g, "\\$&")}`, "m"))
  })
  it("shows a directive alone where it is asked for with its mark", async () =>
    expect((await dotrpc("explain", "@units")).stdout).not.toContain("units(amount"))
  check("prints what a directive takes and where it stands", ["@units"], {
    code: 0,
    stdout: `@units The token whose decimals and symbol are used to show amounts

It takes a value. Write it once, in a section, or above the first one for all sections.

    # @units 0x5fbdb2315678afecb367f032d93f642f64180aa3
`,
    stderr: "",
  })
  check("proposes the nearest directive for an unknown one", ["@unit"], {
    code: 2,
    stdout: "",
    stderr: 'dotrpc: unknown directive "@unit"; did you mean "@units"?\n',
  })

  it("has the text in what is installed", async () => {
    const cwd = temporaryFolder()
    cpSync(dirname(binary), join(cwd, "dist"), { recursive: true })
    expect(await startScript({ cwd }, join(cwd, "dist/dotrpc.mjs"), "explain", "L309").outcome).toEqual({
      code: 0,
      stdout: page,
      stderr: "",
    })
  })

  it("lists every code and directive on a line of its own", async () => {
    const { code, stdout } = await dotrpc("explain")
    const lines = stdout.trimEnd().split("\n")
    expect(lines.map((line) => line.split(" ")[0])).toEqual([
      ...readSections(codesPage()).map((section) => section.code),
      ...directives.map(({ name }) => `@${name}`),
    ])
    expect(lines).toContain("L105      two sections of a file with the same name")
    expect(lines).toContain("A307      warning: a check that compares nothing")
    expect(lines).toContain("RPC-2004  a limit of your own would be exceeded")
    expect(code).toBe(0)
  })

  it("prints every section in lines that fit a terminal, with every example as it is", async () => {
    for (const { blocks, code } of readSections(codesPage())) {
      const { stdout } = await dotrpc("explain", code)
      for (const block of blocks) {
        if (block.kind === "fence")
          expect(stdout).toContain(Visible.lines(block.text.replace(/^(?=.)/gm, "    ").replaceAll("\t", "␉")))
        else expect(stdout.replace(/\s+/g, " ")).toContain(block.text)
      }
      const words = stdout.split("\n").filter((line) => !line.startsWith("    "))
      expect(Math.max(...words.map((line) => line.length))).toBeLessThanOrEqual(100)
    }
  })
})

describe("dotrpc check", () => {
  const check = (what: string, text: string, args: ReadonlyArray<string>, stderr: string) =>
    it(what, async () => {
      const cwd = temporaryFolder()
      writeFileSync(join(cwd, "a.rpc"), text)
      expect((await startAt({ cwd }, "check", "a.rpc", ...args).outcome).stderr).toBe(stderr)
    })
  const broken = "###\neth_getLog []\n###\neth_getLogs [0x1]\n"
  check(
    "mentions the command once where there are errors",
    broken,
    [],
    "dotrpc: `dotrpc explain A101` explains the first error\n",
  )
  check("does not mention it in a report for programs", broken, ["--format", "json"], "")
  check("does not mention it for warnings", '###\neth_getLogs [{}]\n?? "0x0"\n', [], "")
})
