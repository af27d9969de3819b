import { readFileSync } from "node:fs"
import { expect, it } from "vitest"

/** Every module that a file of this package reaches by import, itself included. */
const reached = (
  file: URL,
  seen = new Map<string, ReadonlyArray<string>>(),
): ReadonlyMap<string, ReadonlyArray<string>> => {
  if (seen.has(file.href)) return seen
  const imports = [...readFileSync(file, "utf8").matchAll(/\bfrom "([^"]+)"/g)].map(([, specifier = ""]) => specifier)
  seen.set(file.href, imports)
  for (const specifier of imports) if (specifier.startsWith(".")) reached(new URL(specifier, file), seen)
  return seen
}

const packagesOf = (entry: string) =>
  [...new Set([...reached(new URL(entry, import.meta.url)).values()].flat())].filter((name) => !name.startsWith("."))

it("the library runs where there is no Node: only its server imports what Node has", () => {
  const needsNode = (name: string) => name.startsWith("node:") || name === "ws"
  expect(packagesOf("../src/index.ts").filter(needsNode)).toEqual([])
  expect(packagesOf("../src/server/Server.ts").filter(needsNode).toSorted()).toEqual([
    "node:crypto",
    "node:fs",
    "node:http",
    "node:net",
    "node:path",
    "node:stream",
    "ws",
  ])
})
