/** What a query reads, and what is said of one that cannot be answered. `tooling/peers` asks a real DuckDB. */
import { Json } from "@dotrpc/spec"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { queryProblem } from "../src/query/queryProblem.ts"
import { sourcesOf } from "../src/query/sources.ts"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

const part = (from: number, to: number, epoch: number) =>
  `blocks-${String(from).padStart(12, "0")}-${String(to).padStart(12, "0")}-${epoch}.csv`

const manifest = (state: string, ...files: ReadonlyArray<string>) =>
  Json.stringify({ version: 1, state, parts: files.map((file) => ({ file })) })

const source = (...names: ReadonlyArray<string>) => ({ name: "logs", format: "csv", paths: names })

describe("of a folder with parts, a query reads", () => {
  const check = (what: string, text: string | undefined, files: ReadonlyArray<string>, expected: object) =>
    it(what, () => {
      const cwd = temporaryFolder()
      const logs = join(cwd, "logs")
      mkdirSync(logs)
      for (const file of files) writeFileSync(join(logs, file), "a\n1\n")
      if (text !== undefined) writeFileSync(join(logs, "manifest.json"), text)
      const found = sourcesOf({ cwd }, ["logs"])
      const shown = Json.parse(JSON.stringify(found).replaceAll(`${logs}/`, ""))
      expect(shown).toEqual(expected)
    })

  const [first, second, left] = [part(0, 9, 1), part(10, 19, 1), part(0, 9, 2)]
  check("all of them without a manifest", undefined, [first, second], [source(first, second)])
  check(
    "those of the manifest of a backfill, and not one that a worker has left",
    manifest("done", first, second),
    [first, second, left],
    [source(first, second)],
  )
  check(
    "those so far while it is unfinished",
    manifest("unfinished", first),
    [first, second],
    [{ ...source(first), unfinished: "logs" }],
  )
  check("all of them beside a manifest of something else", '{"name":"app","version":"1.0.0"}', [first], [source(first)])
  check("all of them beside one that is not JSON", "hello", [first], [source(first)])
  check(
    "other files as well",
    manifest("done", first),
    ["notes.csv", first],
    [source(first), { name: "notes", typed: "logs/notes.csv", format: "csv", paths: ["notes.csv"] }],
  )
  check("nothing where a part is lost", manifest("done", first, second), [first], {
    problem: `logs has a manifest.json that lists ${second}, which is not there`,
  })
  check("nothing where none is written", manifest("unfinished"), [left], {
    problem: "logs has no part yet: its backfill has only begun",
  })
})

describe("a problem of DuckDB", () => {
  const one = [{ name: "logs", typed: undefined, format: "csv", paths: [] }] as const
  const two = [...one, { name: "blocks", typed: undefined, format: "csv", paths: [] }] as const
  const check = (
    what: string,
    sources: Parameters<typeof queryProblem>[1],
    said: string,
    expected: ReadonlyArray<string>,
  ) => it(what, () => expect(queryProblem(said, sources)).toEqual(expected))
  const unknown =
    'Catalog Error: Table with name x does not exist!\nDid you mean "pg_enum"?\n\nLINE 1: select * from x\n        ^'
  check("with a name lists the files", two, unknown, [
    'no file is called "x"; expected one of logs, blocks',
    "LINE 1: select * from x",
    "        ^",
  ])
  check("with a name lists data where there is one file", one, unknown.split("\n")[0] ?? "", [
    'no file is called "x"; expected one of logs, data',
  ])
  check(
    "with a file says which it reads",
    one,
    "Permission Error: Cannot access file \"/b.csv\" - file system operations are disabled by configuration\n\nLINE 1: select * from '/b.csv'",
    ["a query reads only the files that are named after it: name /b.csv there", "LINE 1: select * from '/b.csv'"],
  )
  check(
    "with the syntax stays as it is",
    one,
    'Failed to extract statements: Parser Error: syntax error at or near "selec"',
    ['Parser Error: syntax error at or near "selec"'],
  )
})

it("without DuckDB says how to install the version that is tested, as the document does", async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, "a.csv"), "a\n1\n")
  const root = join(import.meta.dirname, "../../..")
  const tested = /"@duckdb\/node-api": (\S+)/.exec(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8"))?.[1]
  const install = `npm install @duckdb/node-api@${tested}`
  expect(await startAt({ cwd }, "query", "select 1", "a.csv").outcome).toMatchObject({
    stderr: `dotrpc: queries need DuckDB, and @duckdb/node-api is not installed here\ndotrpc: install it in this project: ${install}\n`,
    code: 2,
  })
  expect(readFileSync(join(root, "docs/columns.md"), "utf8")).toContain(`\`${install}\``)
})
