/** Every regular expression is quick, no matter who wrote the text that it searches: measured with texts that almost match it. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { globSync } from "tinyglobby"
import { expect, it } from "vitest"
import { type Regex, regexesIn, repeatedFor, textOf } from "../../src/regexes.ts"

const root = join(import.meta.dirname, "../../../..")
const regexes = globSync("{packages,apps}/*/src/**/*.ts", { cwd: root })
  .flatMap((path) => regexesIn({ path, text: readFileSync(join(root, path), "utf8") }))
  .filter(({ source }) => source !== "")

/** Files whose expressions read short texts only, or texts of our own. */
const exceptions: ReadonlyArray<{ readonly path: string; readonly longest: number; readonly why: string }> = [
  {
    path: "packages/plugin-evm/src/classify.ts",
    longest: 6_000,
    why: "what an error says is cut at 6,000 characters (Refusals.ts)",
  },
  {
    path: "packages/spec/src/internal/refusalTable.ts",
    longest: 6_000,
    why: "what an error says is cut at 6,000 characters (Refusals.ts)",
  },
  {
    path: "packages/plugin-kit/src/Golden.ts",
    longest: 500,
    why: "reads the golden files that a plugin's author wrote",
  },
  {
    path: "packages/lang-service/src/signatureHelp.ts",
    longest: 500,
    why: "reads signatures of functions, which stand in the code of a plugin",
  },
]

/** Expressions that are not linear, some of which were in use. */
const slowExpressions: ReadonlyArray<readonly [source: string, flags: string]> = [
  ["<[^>]*>", "g"],
  [String.raw`\/+$`, ""],
  ["0+$", ""],
  ["(a+)+b", ""],
  [String.raw`^(?:[^\S\r\n]*(?:\r\n|\r|\n))*###`, ""],
  [String.raw`\B(?=(\d{3})+(?!\d))`, "g"],
  ["of .* is greater", "i"],
  [String.raw`^###\s*(.*?)\s*$`, ""],
  [String.raw`^Invalid ABI parameter\..*Details: (.*)$`, ""],
]

/** Characters of the worst text. One that is linear takes a few milliseconds for it, any other a second or more. */
const longest = 80_000

const enoughMillis = 60

/** The first text that takes too long. */
const slowText = ({ flags, source }: Pick<Regex, "flags" | "source">, longest: number): string | undefined => {
  const sizes = [24, 36, 44, 52, 60, 500, 4_000, longest].filter((size) => size <= longest)
  for (const repeated of repeatedFor(source))
    for (const size of repeated.start === "" ? sizes : [longest]) {
      const text = textOf(repeated, Math.ceil(size / repeated.piece.length))
      if (timeOf(source, flags, text) >= enoughMillis) return `${JSON.stringify(repeated)} × ${size}`
    }
  return undefined
}

/** Of this thread. Others may have used it meanwhile, so the shortest of some counts. */
const timeOf = (source: string, flags: string, text: string): number => {
  let shortest = Infinity
  for (let time = 0; time < 3 && shortest >= enoughMillis; time++) {
    const regex = new RegExp(source, flags)
    const before = process.threadCpuUsage().user
    text.replace(regex, "")
    shortest = Math.min(shortest, (process.threadCpuUsage().user - before) / 1_000)
  }
  return shortest
}

const folderOf = (path: string) => path.split("/").slice(0, 2).join("/")

it.each([...new Set(regexes.map(({ path }) => folderOf(path)))])("in %s", (folder) => {
  const slow = regexes
    .filter(({ path }) => folderOf(path) === folder)
    .flatMap((regex) => {
      const most = exceptions.find(({ path }) => path === regex.path)?.longest ?? longest
      const text = slowText(regex, most)
      return text === undefined ? [] : [`${regex.path}: /${regex.source}/${regex.flags} on ${text}`]
    })
  expect([...new Set(slow)]).toEqual([])
})

it.each(slowExpressions)("finds /%s/%s", (source, flags) => expect(slowText({ source, flags }, longest)).toBeDefined())
