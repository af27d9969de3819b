/** What may happen to the file of a ledger while processes use it. Deleting it, or putting an older one in its place, begins again, which is the user's own decision. */
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import type { Random } from "../Random.ts"

type Harm = (path: string, random: Random) => unknown

/** After these nobody knows what was spent. */
export const damages = new Map<string, Harm>([
  ["a file of another kind takes its place", (path) => writeFileSync(path, "a file of another kind")],
  ["the file is emptied", (path) => writeFileSync(path, "")],
  [
    "the file is cut off",
    (path, random) => existsSync(path) && truncateSync(path, Math.floor(random.next() * (statSync(path).size - 1))),
  ],
  ["a bit of the file flips", (path, random) => flip(path, random)],
])

/** These lose nothing. */
export const harms = new Map<string, Harm>([
  [
    "the lock is deleted",
    (path) => rmSync(`${path}.lock`, { recursive: true, force: true, maxRetries: 50, retryDelay: 1 }),
  ],
])

const flip = (file: string, random: Random): void => {
  if (!existsSync(file)) return
  const bytes = readFileSync(file)
  // The last one ends the line.
  const position = random.between(0, bytes.length - 2)
  const descriptor = openSync(file, "r+")
  writeSync(descriptor, Buffer.from([(bytes[position] ?? 0) ^ 0b1000]), 0, 1, position)
  closeSync(descriptor)
}
