/** Searching a tree that may be without end. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { describe, expect, it } from "vitest"
import { findFiles, type SearchChoices, searchLimits } from "../src/FoundFiles.ts"
import { temporaryFolder } from "./folders.ts"

const folder = temporaryFolder()
for (const name of ["a", "b/c", "node_modules/d"]) {
  mkdirSync(join(folder, name), { recursive: true })
  for (const index of [1, 2, 3]) writeFileSync(join(folder, name, `${index}.rpc`), "")
  writeFileSync(join(folder, name, "other.txt"), "")
}

describe("a search", () => {
  const check = (
    what: string,
    pattern: string,
    limits: Partial<SearchChoices["limits"]>,
    expected: ReadonlyArray<string>,
    problem?: string,
  ) =>
    it(what, async () => {
      const found = await findFiles(pattern, { folder, limits: { ...searchLimits, ...limits } })
      expect(found.problem).toBe(problem)
      expect(found.files.map((file) => relative(folder, file))).toEqual(expected)
    })
  const all = ["a/1.rpc", "a/2.rpc", "a/3.rpc", "b/c/1.rpc", "b/c/2.rpc", "b/c/3.rpc"]
  check("finds what is in folders below, and not what was installed", "**/*.rpc", {}, all)
  check("follows what a glob says", "{a,b}/**/[12].rpc", {}, ["a/1.rpc", "a/2.rpc", "b/c/1.rpc", "b/c/2.rpc"])
  check("passes as many entries as it may", "**/*.rpc", { entries: 12 }, all)
  check("stops at more of them", "**/*.rpc", { entries: 2 }, [], "covers more than 2 files and folders")
  check("finds as many files as it may", "**/*.rpc", { matches: 6 }, all)
  check("says that there are more", "a/*.rpc", { matches: 2 }, all.slice(0, 2), "matches more than 2 files")

  it("ends when it is aborted", async () => {
    expect((await findFiles("**/*.rpc", { folder, signal: AbortSignal.abort() })).files).toEqual([])
  })
})
