/** What may happen to the files of a ledger while processes use them. Never to both copies at once: then nobody knows what was spent. */
import { copyFileSync, existsSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import type { Random } from "../Random.ts"

type Harm = (path: string, random: Random) => unknown

export const harms = new Map<string, Harm>([
  ["the file is deleted", (path) => rmSync(path, { force: true })],
  ["the file is moved away", (path) => moveAway([path])],
  ["the file and its log are moved away", (path) => moveAway([path, `${path}-wal`])],
  ["a file of another kind takes its place", (path) => writeFileSync(path, "a file of another kind")],
  ["the file is emptied", (path) => existsSync(path) && truncateSync(path, 0)],
  [
    "the file is cut off",
    (path, random) => existsSync(path) && truncateSync(path, Math.floor(random.next() * statSync(path).size)),
  ],
  ["the log is deleted", (path) => rmSync(`${path}-wal`, { force: true })],
  ["the second copy is deleted", (path) => rmSync(`${path}.copy`, { force: true })],
  ["the lock is deleted", (path) => rmSync(`${path}.guard`, { force: true })],
  [
    "an older file takes its place",
    (path) => {
      const older = `${path}.older`
      if (existsSync(older)) renameSync(older, path)
      else if (existsSync(path)) copyFileSync(path, older)
    },
  ],
])

const moveAway = (files: ReadonlyArray<string>): void => {
  for (const file of files)
    try {
      renameSync(file, `${file}.moved`)
    } catch (error) {
      // There may be no file at the moment.
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error
    }
}
