/** The table of rooms in ARCHITECTURE.md says what the check of edges enforces. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { allowedEdges } from "../src/rules.ts"

const root = join(import.meta.dirname, "../../..")
const folders = readdirSync(join(root, "packages"))

/** The rooms of a word of the table: `plugin-{evm,viem}` names two, `plugin-*` all plugins that are not the kit. */
const roomsOf = (word: string): ReadonlyArray<string> => {
  if (word === "plugin-*") return ["plugin-evm", "plugin-l2-events", "plugin-token-accounts"]
  const [, before = word, list] = /^(.*)\{(.*)\}$/.exec(word) ?? []
  return list === undefined ? [word] : list.split(",").map((end) => before + end)
}

const rows = [
  ...readFileSync(join(root, "ARCHITECTURE.md"), "utf8").matchAll(/^\| `packages\/([^`]+)` \|.*\| ([^|]+) \|$/gm),
]
const written = Object.fromEntries(
  rows.flatMap(([, room = "", edges = ""]) =>
    roomsOf(room).map((name) => [
      `@dotrpc/${name}`,
      edges === "—"
        ? []
        : edges
            .split(", ")
            .flatMap(roomsOf)
            .map((edge) => `@dotrpc/${edge}`)
            .toSorted(),
    ]),
  ),
)

it("names every package, with the edges that it may have", () =>
  expect(written).toEqual(
    Object.fromEntries(Object.entries(allowedEdges).map(([name, edges]) => [name, edges.toSorted()])),
  ))

it("has a rule for every package", () =>
  expect(Object.keys(allowedEdges).toSorted()).toEqual(folders.map((folder) => `@dotrpc/${folder}`).toSorted()))
