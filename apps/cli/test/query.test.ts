/** What is said of a query that cannot be answered. `tooling/peers` asks a real DuckDB. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { queryProblem } from "../src/query/queryProblem.ts"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

describe("a problem of DuckDB", () => {
  const one = [{ name: "logs", typed: undefined, format: "csv", paths: [] }] as const
  const two = [...one, { name: "my blocks", typed: undefined, format: "csv", paths: [] }] as const
  const check = (
    what: string,
    sources: Parameters<typeof queryProblem>[1],
    said: string,
    expected: ReadonlyArray<string>,
  ) => it(what, () => expect(queryProblem(said, sources)).toEqual(expected))
  const unknown =
    'Catalog Error: Table with name x does not exist!\nDid you mean "pg_enum"?\n\nLINE 1: select * from x\n        ^'
  check("with a name lists the files", two, unknown, [
    'no file is called "x"; expected one of logs, "my blocks"',
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

it("without DuckDB says how to install the version that is tested, as the document does, and runs none that a project brings", async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, "a.csv"), "a\n1\n")
  const root = join(import.meta.dirname, "../../..")
  const tested = /"@duckdb\/node-api": (\S+)/.exec(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8"))?.[1]
  const install = `npm install @duckdb/node-api@${tested}`
  const missing = "dotrpc: queries need DuckDB, and @duckdb/node-api is not installed beside dotrpc\n"
  const advice = `dotrpc: install it where dotrpc is installed, with --global if that is for all folders: ${install}\n`
  expect(await startAt({ cwd }, "query", "select 1", "a.csv").outcome).toMatchObject({
    stderr: `${missing}${advice}`,
    code: 2,
  })
  const ran = join(cwd, "ran")
  const brought = join(cwd, "node_modules/@duckdb/node-api")
  mkdirSync(brought, { recursive: true })
  writeFileSync(join(brought, "package.json"), '{ "name": "@duckdb/node-api", "main": "index.cjs" }')
  writeFileSync(join(brought, "index.cjs"), `require("node:fs").writeFileSync(${JSON.stringify(ran)}, "")`)
  expect(await startAt({ cwd }, "query", "select 1", "a.csv").outcome).toMatchObject({
    stderr: `${missing}dotrpc: that of this folder is code of a project, which runs only with --trust\n${advice}`,
    code: 2,
  })
  expect(existsSync(ran)).toBe(false)
  const trusted = await startAt({ cwd }, "query", "select 1", "a.csv", "--trust").outcome
  expect(trusted).toMatchObject({ stderr: `dotrpc: @duckdb/node-api is too old\n${advice}`, code: 2 })
  expect(existsSync(ran)).toBe(true)
  expect(readFileSync(join(root, "docs/columns.md"), "utf8")).toContain(`\`${install}\``)
})
