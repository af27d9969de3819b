/** The regular expressions of the packages and the apps. How quick each is, no matter who wrote its text, is measured in `deep`. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { globSync } from "tinyglobby"
import { describe, expect, it } from "vitest"
import { regexesIn } from "../src/regexes.ts"

const root = join(import.meta.dirname, "../../..")
const files = globSync("{packages,apps}/*/src/**/*.ts", { cwd: root }).map((path) => ({
  path,
  text: readFileSync(join(root, path), "utf8"),
}))
const regexes = files.flatMap(regexesIn)

/** Files that make expressions of other texts. */
const made: Readonly<Record<string, string>> = {
  "apps/cli/src/NamedThings.ts": "a fixed list of kinds, and the names of directives",
  "apps/cli/src/completionScript.ts": "a mark of our own",
  "apps/cli/src/dotrpc.ts": "a mark of our own",
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

it("every literal is found, and what is made", () => {
  const text = 'const a = /a+/g; b.replace(/x/, ""); new RegExp(c); RegExp("d")'
  expect(
    regexesIn({ path: "a.ts", text })
      .map(({ source }) => source)
      .toSorted(),
  ).toEqual(["", "", "a+", "x"])
})
