/** Folders of golden files that are not what they should be. */
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"
import { describePlugin } from "../src/vitest.ts"
import { counter } from "./counter.ts"

const check = (what: string, make: (path: string) => void, expected: RegExp) =>
  it(`refuses ${what}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "dotrpc-kit-"))
    try {
      make(join(folder, "a.io"))
      expect(() => describePlugin(counter, { goldens: pathToFileURL(`${folder}/`) })).toThrow(expected)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

describe("a folder of golden files", () => {
  check("to be empty", () => {}, /there is no golden file/)
  check("a device without an end", (path) => symlinkSync("/dev/zero", path), /a\.io is not a regular file/)
  check(
    "a file that nobody could read",
    (path) => {
      writeFileSync(path, "")
      truncateSync(path, 5e9)
    },
    /a\.io is larger than 16 MB/,
  )
})
