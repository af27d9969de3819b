import { runs } from "@dotrpc/vitest/depth"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fixedText } from "../src/Fixes.ts"
import { contentIn, fencesIn, linesOf, prefixOf, requestsIn } from "../src/markdown/Fences.ts"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

const params = `["0x${"ab".repeat(20)}", "0x0", "latest"]`

describe("fixes that are made without asking", () => {
  const check = (name: string, text: string, expected: string) =>
    it(name, () => expect(fixedText(text).text).toBe(expected))
  check("are none of a good text", `###\neth_getStorageAt ${params}\n`, `###\neth_getStorageAt ${params}\n`)
  check(
    "quote and separate",
    `###\neth_getLogs [{fromBlock: 0x1, "toBlock": 'latest'}]\n`,
    `###\neth_getLogs [{"fromBlock": "0x1", "toBlock": "latest"}]\n`,
  )
  check("correct a directive", `###\n# @buget 100\neth_getLogs [{}]\n`, `###\n# @budget 100\neth_getLogs [{}]\n`)
  check("are made in every section", "###\n# @al\nm []\n".repeat(3), "###\n# @all\nm []\n".repeat(3))
  check("do not make a text worse", "###\n@g-h = 5\n", "###\n@g-h = 5\n")
  check("leave alone what may be meant in another way", `###\neth_getLog [{}]\n`, `###\neth_getLog [{}]\n`)
})

describe("fixes of requests in Markdown", () => {
  const prose = fc.constantFrom(
    "# A 'title'\n",
    "Text with 'quotes', “curly” ones, # @buget 1 and eth_getLogs [{a: 0x1}]\n",
    "\n",
    "| a | 'b' |\n|---|---|\n",
    "```json\n{'a': 1,}\n```\n",
    "```rpc skip\n# @buget 1\nm ['a']\n```\n",
    "    # @buget 1\n",
  )
  const line = fc.constantFrom(
    "### a",
    "# @buget 100",
    "# @al",
    "@x = 'a'",
    "@x = “a",
    "?? result === 1",
    "?? a & b",
    "m [{a: 0x1}]",
    "m ['a' 1,, 2]",
    "m [",
    "  1 2",
    "  “b”",
    "  {",
    "  'k': 007",
    "}",
    "]",
    "/*",
    "m [\u00A01]",
    "🎈 'x'",
    "",
  )
  const fence = fc
    .tuple(
      fc.constantFrom(["", ""], ["- ", "  "], ["> ", "> "], ["1. > ", "   > "], ["   ", "   "]),
      fc.constantFrom("```", "~~~~"),
      fc.array(line, { maxLength: 8 }),
      fc.boolean(),
    )
    .map(([[first = "", next = ""], mark, lines, isClosed]) =>
      [`${first}${mark}rpc`, ...lines.map((text) => next + text), ...(isClosed ? [next + mark, ""] : [""])].join("\n"),
    )
  const page = fc.array(fc.oneof(prose, fence), { maxLength: 6 }).map((parts) => parts.join(""))

  /** Everything but the lines in fences, and what stands before each of those. */
  const outside = (text: string): ReadonlyArray<string> => {
    const lines = [...linesOf(text)]
    for (const { end, first, indent } of fencesIn(text))
      for (let at = first; at < end; at++) lines[at] = prefixOf(lines[at] ?? "", indent)
    return lines
  }

  it("change nothing outside the fences, and no line of a fence itself", () => {
    fc.assert(
      fc.property(page, fc.constantFrom("\n", "\r\n"), (written, lineBreak) => {
        const text = written.replaceAll("\n", lineBreak)
        expect(outside(fixedText(text, { contentIn, requestsIn }).text)).toEqual(outside(text))
      }),
      { numRuns: runs(200) },
    )
  })
})

describe("check", () => {
  const play = async (text: string, ...args: ReadonlyArray<string>) => {
    const cwd = temporaryFolder()
    const name = args.includes("a.md") ? "a.md" : "a.rpc"
    writeFileSync(join(cwd, name), text)
    const outcome = await startAt({ cwd }, ...args).outcome
    return { ...outcome, text: readFileSync(join(cwd, name), "utf8") }
  }
  const wrong = `###\n# @buget 100\neth_getLogs [{}]\n`
  const right = `###\n# @budget 100\neth_getLogs [{}]\n`

  it("writes fixes into files and reports what is left", async () => {
    const { code, stderr, text } = await play(wrong, "check", "--fix", "a.rpc")
    expect({ code, stderr, text }).toEqual({ code: 0, stderr: "dotrpc: a.rpc: 1 fix made\n", text: right })
  })

  it("writes fixes into the fences of Markdown", async () => {
    const fenced = (body: string) => `# Title [a] 'b'\n\n\`\`\`rpc\n${body}\`\`\`\n`
    expect((await play(fenced(wrong), "check", "--fix", "a.md")).text).toBe(fenced(right))
  })

  it("writes nothing without --fix", async () => {
    const { code, text } = await play(wrong, "check", "a.rpc")
    expect({ code, text }).toEqual({ code: 2, text: wrong })
  })

  it("has no file to fix in a stream", async () => {
    const { code, stderr } = await play(wrong, "check", "--fix", "-")
    expect({ code, stderr }).toEqual({ code: 2, stderr: "dotrpc: --fix writes into files: name one instead of -\n" })
  })
})

describe("--strict", () => {
  const warned = `### a\n# @author me\neth_getStorageAt ${params}\n### b\neth_getStorageAt ${params}\n?? result != "0x"\n`
  const check = (command: string, isStrict: boolean, code: number, said: RegExp) =>
    it(`${isStrict ? "makes errors of warnings" : "is off by default"}: ${command}`, async () => {
      const cwd = temporaryFolder()
      writeFileSync(join(cwd, "a.rpc"), warned)
      const outcome = await startAt({ cwd }, command, "a.rpc", ...(isStrict ? ["--strict"] : [])).outcome
      expect(outcome.stdout + outcome.stderr).toMatch(said)
      expect(outcome.code).toBe(code)
    })
  check("check", false, 0, /a\.rpc:2:4 warning L201/)
  check("check", true, 2, /a\.rpc:2:4 error L201/)
  check("run", false, 0, /2 ok/)
  check("run", true, 2, /a\.rpc:2:4 error L201[^]*1 ok[^]*1 failed/)

  it("counts warnings of the configuration as well", async () => {
    const cwd = temporaryFolder()
    const config = { networks: { evm: { plugin: "evm", url: "https://mainnet.example/v3/0f3aa9c1d2b84e570f3aa9c1" } } }
    writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify(config))
    writeFileSync(join(cwd, "a.rpc"), `###\neth_getStorageAt ${params}\n`)
    for (const command of ["check", "run"]) {
      const { code, stderr, stdout } = await startAt({ cwd }, command, "a.rpc", "--strict").outcome
      expect(stdout + stderr).toMatch(/rpc\.config\.json:1:\d+ error A501/)
      expect(code).toBe(2)
    }
  })
})
