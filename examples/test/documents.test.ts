/** What the documents tell people to install and to call: it installs by itself, and it is there. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Core from "@dotrpc/core"
import { Evm } from "@dotrpc/plugin-evm"
import { describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "../..")
const read = (path: string) => readFileSync(join(root, path), "utf8")
const markdownIn = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name))
const packages = readdirSync(join(root, "packages"))
const readmes = packages.map((name) => `packages/${name}/README.md`).filter((path) => existsSync(join(root, path)))

describe("a list of tarballs", () => {
  /** Packages of ours that npm would look for in its registry, where they are not. */
  const missingFrom = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
    const given = new Set(names)
    const needed = names.flatMap((name) => {
      const folder = [`packages/${name}`, `apps/${name}`].find((path) => existsSync(join(root, path, "package.json")))
      const { dependencies = {} }: { readonly dependencies?: Readonly<Record<string, string>> } = JSON.parse(
        read(`${folder}/package.json`),
      )
      return Object.keys(dependencies).flatMap((dependency) => /^@dotrpc\/(.+)/.exec(dependency)?.[1] ?? [])
    })
    return [...new Set(needed)].filter((name) => !given.has(name)).toSorted()
  }
  const check = (names: ReadonlyArray<string>, expected: ReadonlyArray<string>) =>
    it(`of ${names.join(", ")} lacks ${expected.join(", ") || "nothing"}`, () =>
      expect(missingFrom(names)).toEqual(expected))
  check(["spec", "core"], [])
  check(["spec", "core", "gateway", "plugin-evm"], ["plugin-l2-events", "plugin-token-accounts"])

  const named = (word: string): ReadonlyArray<string> =>
    word.endsWith("*") ? packages.filter((name) => name.startsWith(word.slice(0, -1))) : [word]
  /** What the page has installed before, in the package that it builds. */
  const before: Readonly<Record<string, ReadonlyArray<string>>> = { "docs/plugins.md": ["spec", "plugin-kit", "cli"] }
  for (const page of ["README.md", "apps/cli/README.md", ...markdownIn("docs"), ...readmes])
    for (const [, list = ""] of read(page).matchAll(/tarballs\/dotrpc-\{([^}]+)\}/g))
      it(`in ${page} installs without the others: ${list}`, () => {
        const names = [...list.split(",").flatMap(named), ...(before[page] ?? [])]
        expect(missingFrom(names)).toEqual([])
      })
})

describe("a name in a document", () => {
  const modules = new Map<string, object>([
    ...Object.entries<unknown>(Core).flatMap(([name, module]) =>
      typeof module === "object" && module !== null ? [[name, module] as const] : [],
    ),
    ["Evm", Evm],
  ])
  for (const page of ["README.md", ...markdownIn("docs"), ...readmes])
    it(`is one that its module has: ${page}`, () => {
      const names = [...read(page).matchAll(/(?<![.\w])([A-Z]\w+)\.([a-z]\w*)/g)].flatMap(
        ([name, module = "", member = ""]) => {
          const found = modules.get(module)
          // `Metrics.ts` is a file.
          return found === undefined || member === "ts" || member in found ? [] : [name]
        },
      )
      expect(names).toEqual([])
    })
})
