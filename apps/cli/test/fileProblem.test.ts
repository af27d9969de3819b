import { closeSync, mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { fileProblem } from "../src/fileProblem.ts"
import { temporaryFolder } from "./folders.ts"

/** What the system throws. */
const thrownBy = (work: (folder: string) => void): unknown => {
  try {
    work(temporaryFolder())
    return undefined
  } catch (error) {
    return error
  }
}

/** An error that only another user, or another disk, would get. */
const systemError = (code: string, words: string): Error =>
  Object.assign(new Error(`${code}: ${words}, open '/home/someone/a.rpc'`), { code })

describe("the words of an error of the file system", () => {
  const check = (what: string, error: unknown, expected: string) =>
    it(`are about ${what}, without its path and its code`, () => expect(fileProblem(error)).toBe(expected))
  check(
    "a file that does not exist",
    thrownBy((folder) => readFileSync(join(folder, "a"))),
    "there is no such file or folder",
  )
  check(
    "a folder",
    thrownBy((folder) => readFileSync(folder)),
    "it is a folder",
  )
  check(
    "a file that is named as a folder",
    thrownBy((folder) => {
      writeFileSync(join(folder, "a"), "")
      readFileSync(join(folder, "a/b"))
    }),
    "a part of its path is not a folder",
  )
  check(
    "a name that is too long",
    thrownBy((folder) => writeFileSync(join(folder, "a".repeat(300)), "")),
    "its name is too long",
  )
  check(
    "a link to itself",
    thrownBy((folder) => {
      symlinkSync("a", join(folder, "a"))
      readFileSync(join(folder, "a"))
    }),
    "it is a symbolic link that leads back to itself",
  )
  check(
    "a file that was there before",
    thrownBy((folder) => mkdirSync(folder)),
    "there is one already",
  )
  check("rights", systemError("EACCES", "permission denied"), "its permissions forbid it")
  check("a full disk", systemError("ENOSPC", "no space left on device"), "the disk is full")
  check("anything else", systemError("EIO", "i/o error"), "i/o error")
  check(
    "anything else without a path",
    thrownBy((folder) => {
      const descriptor = openSync(join(folder, "a"), "w")
      closeSync(descriptor)
      closeSync(descriptor)
    }),
    "bad file descriptor",
  )
  check("an error of ours", new Error("it is a device; use a file"), "it is a device; use a file")
})
