/** `--format github` and `--format sarif`: what a text says never becomes a command to the runner that reads the log. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { removeFolders, temporaryFolder } from "./folders.ts"

afterAll(removeFolders)

const folderOf = (name: string, text: string): string => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, "rpc.config.json"), '{ "networks": { "evm": { "plugin": "evm", "url": "embedded:evm" } } }')
  writeFileSync(join(cwd, name), text)
  return cwd
}

describe("an annotation", () => {
  const check = (
    said: string,
    command: ReadonlyArray<string>,
    text: string,
    expected: ReadonlyArray<RegExp>,
    name = "a.rpc",
  ) =>
    it(said, async () => {
      const { stdout } = await startAt({ cwd: folderOf(name, text) }, ...command, "--format", "github").outcome
      const lines = stdout.split("\n").filter((line) => line !== "")
      expect(lines.length).toBe(expected.length)
      for (const [index, pattern] of expected.entries()) expect(lines[index]).toMatch(pattern)
    })
  check("names the line of an error", ["check", "."], "###\neth_getLgs []\n", [
    /^::error file=a\.rpc,line=2,col=1,endLine=2,title=A\d+::unknown method "eth_getLgs"/,
  ])
  check("is on the line of a check that failed", ["run", "a.rpc"], "### N\neth_chainId\n\n?? result == 0x0\n", [
    /^::error file=a\.rpc,line=4,title=N::result == 0x0%0Aactual "?0x/,
  ])
  check("is on the line of a call that failed", ["run", "a.rpc"], '### N\neth_getBlockByHash ["0x1", false]\n', [
    /^::error file=a\.rpc,line=2,/,
  ])
  check("is not there where all is well", ["run", "a.rpc"], "###\neth_chainId\n", [])
  check(
    "is ended neither by the name of a file nor by a label",
    ["run", "."],
    "### x::error::y,line=9%0A ##[error]z\neth_chainId\n?? result == 0x0\n",
    [
      /^::error file=a%2Cline=7%3A%3Ax\.rpc,line=3,title=x%3A%3Aerror%3A%3Ay%2Cline=9%250A #\uFFFD?\[?.*::result == 0x0%0Aactual /,
    ],
    "a,line=7::x.rpc",
  )
})

it("annotations are beside the report of --output", async () => {
  const cwd = folderOf("a.rpc", "###\neth_chainId\n?? result == 0x0\n")
  const { code, stderr, stdout } = await startAt({ cwd }, "run", "a.rpc", "--format", "github", "--output", "r.tap")
    .outcome
  expect([code, stdout.split("\n").length]).toEqual([1, 2])
  expect(stderr).toContain("eth_chainId")
})

describe("a report of a file that is not there", () => {
  const check = (format: string, problemIn: (stdout: string) => unknown) =>
    it(`is one of ${format} as well`, async () => {
      const { code, stderr, stdout } = await startAt({ cwd: temporaryFolder() }, "check", "no.rpc", "--format", format)
        .outcome
      expect([code, problemIn(stdout)]).toEqual([2, expect.stringContaining("no.rpc")])
      expect(stderr).toContain("no.rpc")
    })
  check("github", (stdout) => /^::error title=dotrpc::(.*)\n$/.exec(stdout)?.[1])
  check("sarif", (stdout) => JSON.parse(stdout).runs[0].invocations[0].toolExecutionNotifications[0].message.text)
  check("json", (stdout) => JSON.parse(stdout).problems[0])
})

it("SARIF has each problem with its place, and every code as a rule", async () => {
  const cwd = folderOf("a b.rpc", "###\neth_getLgs []\n")
  const { code, stdout } = await startAt({ cwd }, "check", ".", "--format", "sarif").outcome
  expect(code).toBe(2)
  const { runs } = JSON.parse(stdout)
  expect(runs[0].results[0]).toMatchObject({
    level: "error",
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: "a%20b.rpc" },
          region: { startLine: 2, startColumn: 1, endLine: 2, endColumn: 11 },
        },
      },
    ],
  })
  expect(runs[0].tool.driver.rules.map(({ id }: { readonly id: string }) => id)).toEqual([runs[0].results[0].ruleId])
})
