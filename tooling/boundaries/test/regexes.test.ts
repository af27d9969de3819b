/** Every regular expression of the packages and the apps takes steps in proportion to its text, no matter who wrote the text. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { globSync } from "tinyglobby"
import { describe, expect, it } from "vitest"
import { growingTexts, regexesIn, worstSteps } from "../src/regexes.ts"
import { compile, countSteps } from "../src/regexSteps.ts"
import { exceptions } from "./regexExceptions.ts"
import { slowExpressions } from "./slowExpressions.ts"

const root = join(import.meta.dirname, "../../..")
const files = globSync("{packages,apps}/*/src/**/*.ts", { cwd: root }).map((path) => ({
  path,
  text: readFileSync(join(root, path), "utf8"),
}))
const regexes = files.flatMap(regexesIn)

/** Some tens of milliseconds, for what is not linear and reads short texts. */
const mostSteps = 20_000_000

/** Files that make expressions of other texts. */
const made: Readonly<Record<string, string>> = {
  "apps/cli/src/openrpc/linearPattern.ts":
    "a pattern of the document that a person imports, made linear; its own tests hold it to that",
  "apps/cli/src/render/border.ts": "fixed lists of characters",
  "packages/plugin-evm/src/abi/Parameter.ts": "a fixed list of sizes",
  "packages/plugin-evm/src/abi/declaration.ts": "words of a declaration, escaped",
  "packages/lang-service/src/convert/urls.ts": "a mark of our own",
  "packages/lang-service/src/export/template.ts": "a mark of our own, and a fixed list of words",
  "packages/gateway/src/chain/ChainFile.ts": "a number of digits",
  "packages/project/src/node/importsIn.ts": "a fixed list of words",
  "packages/spec/src/Visible.ts": "fixed lists of characters",
  "packages/spec/src/internal/disguises.ts": "a fixed list of characters",
}

describe("a regular expression that is made while the program runs", () => {
  it("is made where this list says why it may be", () =>
    expect([...new Set(regexes.flatMap(({ path, source }) => (source === "" ? [path] : [])))].toSorted()).toEqual(
      Object.keys(made).toSorted(),
    ))
})

/** Each once, with a place where it is. */
const expressions = [
  ...new Map(
    regexes
      .map((regex) => [`/${regex.source}/${regex.flags}`, regex] as const)
      .filter(([, { source }]) => source !== ""),
  ),
]

describe("every regular expression is linear", () => {
  it.each([...new Set(regexes.map(({ path }) => path.split("/").slice(0, 2).join("/")))])("in %s", (folder) => {
    const slow = expressions.flatMap(([written, { flags, path, source }]) => {
      if (!path.startsWith(`${folder}/`) || exceptions.some((exception) => exception.path === path)) return []
      const [worst] = growingTexts({ flags, source })
      return worst === undefined ? [] : [`${path}: ${written} on ${JSON.stringify(worst)}`]
    })
    expect(slow).toEqual([])
  })
  it.each(exceptions)("or reads short texts: in $path", ({ longest, path }) => {
    const slow = regexes
      .filter((regex) => regex.path === path && regex.source !== "")
      .filter((regex) => worstSteps(regex, longest, mostSteps) >= mostSteps)
    expect(slow).toEqual([])
  })
})

describe("the search for slow ones", () => {
  it.each(slowExpressions)("finds /%s/%s", (source, flags) =>
    expect(growingTexts({ source, flags }).next().done).toBe(false),
  )
  it.each([
    ["a{1,50}b", ""],
    ["^(?<one>a|b)+\\k<one>$", "v"],
    ["(?<=x)y*(?!z)", "gu"],
    ["^(?:(a)|b)*?$", "i"],
    ["(?:|a)*b?", "y"],
  ])("does not find /%s/%s, which is linear", (source, flags) =>
    expect([...growingTexts({ source, flags })]).toEqual([]),
  )
  it.each([
    ["abc", "", "xabc", 5],
    ["^a*$", "", "aaa", 14],
  ])("counts each step of /%s/%s on %s", (source, flags, text, steps) =>
    expect(countSteps(compile(source, flags), text, Infinity)).toBe(steps),
  )
  it("finds every literal, and what is made", () => {
    const text = 'const a = /a+/g; b.replace(/x/, ""); new RegExp(c); RegExp("d")'
    expect(
      regexesIn({ path: "a.ts", text })
        .map(({ source }) => source)
        .toSorted(),
    ).toEqual(["", "", "a+", "x"])
  })
})
