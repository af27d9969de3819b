/** Which files of a folder a query reads. DuckDB reads them in the tests of the peers. */
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { expect, it } from "vitest"
import { sourcesOf } from "../src/query/sources.ts"

const first = "blocks-000000000000-000000000009-1.ndjson"
const frozen = "blocks-000000000000-000000000009-2.ndjson"
const second = "blocks-000000000010-000000000019-1.ndjson"

const manifest = (...files: ReadonlyArray<string>) =>
  JSON.stringify({ version: 1, id: "5d0b7a", revision: 2, state: "done", parts: files.map((file) => ({ file })) })

/** @param found the names of files by the name of their view, or what is wrong */
const check = (name: string, files: Readonly<Record<string, string>>, found: Record<string, Array<string>> | RegExp) =>
  it(name, () => {
    const cwd = mkdtempSync(join(tmpdir(), "dotrpc-sources-"))
    mkdirSync(join(cwd, "logs"))
    for (const [file, text] of Object.entries(files)) writeFileSync(join(cwd, "logs", file), text)
    writeFileSync(join(cwd, second), "{}")
    symlinkSync(join(cwd, second), join(cwd, "logs", "blocks-000000000020-000000000029-1.ndjson"))
    const sources = sourcesOf({ cwd }, ["logs"])
    if (found instanceof RegExp) return expect("problem" in sources ? sources.problem : "").toMatch(found)
    expect("problem" in sources ? sources : undefined).toBeUndefined()
    if ("problem" in sources) return
    const read = sources.map((source) => [source.name, source.paths.map((path) => basename(path))])
    expect(Object.fromEntries(read)).toEqual(found)
  })

it("says of a folder whose backfill is not finished that it is not", () => {
  const cwd = mkdtempSync(join(tmpdir(), "dotrpc-sources-"))
  const unfinished = (state: string) => {
    writeFileSync(join(cwd, first), "{}")
    writeFileSync(join(cwd, "_manifest.json"), manifest(first).replace("done", state))
    const sources = sourcesOf({ cwd }, ["."])
    return "problem" in sources ? sources.problem : sources.map((source) => source.unfinished)
  }
  expect(unfinished("unfinished")).toEqual(["."])
  expect(unfinished("done")).toEqual([undefined])
})

const both = { [first]: "{}", [frozen]: "{}" }
check("reads the parts that the manifest lists", { ...both, "_manifest.json": manifest(first) }, { logs: [first] })
check("reads all parts where there is no manifest", both, { logs: [first, frozen] })
check(
  "reads other files as well",
  { ...both, "other.csv": "a", "_manifest.json": manifest(frozen) },
  { logs: [frozen], other: ["other.csv"] },
)
check("reads files beside a manifest of something else", { "a.csv": "a", "_manifest.json": "[]" }, { a: ["a.csv"] })
check(
  "refuses a folder without a committed part",
  { ...both, "_manifest.json": manifest().replace("done", "unfinished") },
  /^logs has no part yet: its backfill has only begun$/,
)
check("refuses a folder with nothing to read", { "a.txt": "a" }, /^logs has no \.parquet, \.csv or \.ndjson file$/)
check(
  "refuses a part that was deleted",
  { [first]: "{}", "_manifest.json": manifest(first, second) },
  /^logs has a _manifest\.json that lists blocks-000000000010-\S+, which is not a part in it: name the parts to read$/,
)
check(
  "refuses a part outside the folder",
  { ...both, "_manifest.json": manifest(`../${second}`) },
  /lists \.\.\/blocks/,
)
check(
  "refuses a link as a part",
  { ...both, "_manifest.json": manifest("blocks-000000000020-000000000029-1.ndjson") },
  /is not a part/,
)
check("refuses to count a part twice", { ...both, "_manifest.json": manifest(first, first) }, /lists blocks-\S+ twice/)
check(
  "refuses a damaged manifest",
  { ...both, "_manifest.json": '{"version":1' },
  /that is not the manifest of a backfill/,
)
check(
  "refuses a part without a name",
  { ...both, "_manifest.json": '{"version":1,"id":"a","revision":1,"parts":[{}]}' },
  /that is damaged/,
)
check(
  "refuses a newer manifest",
  { ...both, "_manifest.json": '{"version":2,"parts":[]}' },
  /a newer version of dotrpc/,
)
check("refuses a manifest that is not a file's text", { ...both, "_manifest.json": "null" }, /is not the manifest/)
