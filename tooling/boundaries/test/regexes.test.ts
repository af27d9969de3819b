/** Every regular expression of the packages and the apps takes a time that grows with its text, no matter who wrote the text. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { globSync } from "tinyglobby"
import { describe, expect, it } from "vitest"
import { regexesIn, worstOf } from "../src/regexes.ts"

const root = join(import.meta.dirname, "../../..")
const files = globSync("{packages,apps}/*/src/**/*.ts", { cwd: root }).map((path) => ({
  path,
  text: readFileSync(join(root, path), "utf8"),
}))
const regexes = files.flatMap(regexesIn)

/** Characters of the worst text. One that is linear takes a few milliseconds for it, any other a second or more. */
const longest = 80_000

const enoughMillis = 60

/** Files whose expressions read short texts only, or texts of our own. */
const exceptions: ReadonlyArray<{ readonly path: string; readonly longest: number; readonly why: string }> = [
  {
    path: "packages/plugin-evm/src/classify.ts",
    longest: 4_096,
    why: "an error's message is cut at 4,096 characters when the reply is read (Wire.ts)",
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

const folderOf = (path: string) => path.split("/").slice(0, 2).join("/")
const folders = [...new Set(regexes.map(({ path }) => folderOf(path)))]

describe("every regular expression is linear", () => {
  it.each(folders)("in %s", (folder) => {
    const slow = new Set<string>()
    for (const { flags, path, source } of regexes) {
      if (source === "" || folderOf(path) !== folder) continue
      const length = exceptions.find((exception) => exception.path === path)?.longest ?? longest
      const { millis, text } = worstOf({ flags, source }, length, enoughMillis)
      if (millis >= enoughMillis) slow.add(`${path}: /${source}/${flags} on ${text}`)
    }
    expect([...slow]).toEqual([])
  })
})

describe("the search for slow ones", () => {
  it.each([
    ["<[^>]*>", "g", 20_000],
    [String.raw`\/+$`, "", 20_000],
    ["0+$", "", 20_000],
    ["(a+)+b", "", 20_000],
    [String.raw`^(?:[^\S\r\n]*(?:\r\n|\r|\n))*###`, "", 20_000],
    [String.raw`\B(?=(\d{3})+(?!\d))`, "g", 20_000],
    ["of .* is greater", "i", 20_000],
    [String.raw`^###\s*(.*?)\s*$`, "", 20_000],
    [String.raw`^Invalid ABI parameter\..*Details: (.*)$`, "", longest],
  ])("finds /%s/%s in %d characters", (source, flags, length) =>
    expect(worstOf({ source, flags }, length, enoughMillis).millis).toBeGreaterThanOrEqual(enoughMillis),
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
