/**
 * The marks of a ledger that lies on another machine: those of this process, and those that killed processes of this machine
 * have left.
 *
 * Invariant: the marks of another process are believed only when its lease has ended by the clock that both share and nobody
 * can set, and only since the same start of the machine. Then that process uses the lease no more, even if it was only stopped,
 * and no power cut has taken back a mark. So no wrong clock of a server makes a lease count for less than was used of it.
 */
import type { Clock } from "effect"
import { elapsedOf, readingOf } from "@dotrpc/spec"
import { checksumOf } from "./checksum.ts"
import { type Mark, makeMarks, type Marks, marksOf, removeMarks } from "./marks.ts"
import { type FileModules, findFileModules } from "./node.ts"

export interface LocalMarks {
  readonly ofOwner: (owner: string) => Marks
  /** The marks of processes other than this owner whose leases have ended. */
  readonly left: (owner: string, clock: Clock.Clock) => ReadonlyArray<LeftMarks>
}

export interface LeftMarks {
  readonly owner: string
  readonly marks: ReadonlyArray<Mark>
  readonly remove: () => void
}

/**
 * The marks of one of the ledgers that share a folder. `undefined` outside Node, and where nothing names the starts of the
 * machine, which only Linux does.
 */
export const openLocalMarks = (parent: string, ledger: string, clock: Clock.Clock): LocalMarks | undefined => {
  const node = findFileModules()
  const { boot: start, isReplaced } = readingOf(clock)
  // The clock of a test stands for those of its machine.
  const boot = isReplaced === true ? "replaced" : start
  if (node === undefined || boot === "") return undefined
  const folder = node.path.join(parent, checksumOf(ledger).toString(16))
  return {
    ofOwner: (owner) => makeMarks(node, { folder, owner, boot }),
    left: (own, clock) =>
      namesIn(node, folder).flatMap((owner) => {
        if (owner === own) return []
        const of = { folder, owner, boot }
        const remove = () => ignoringErrors(() => removeMarks(node, of), undefined)
        const marks = marksOf(node, of)
        if (marks.length === 0 && isOld(node, node.path.join(folder, owner), clock)) remove()
        const hasEnded = marks.length > 0 && marks.every(({ until }) => until + graceMillis < elapsedOf(clock))
        return hasEnded ? [{ owner, marks, remove }] : []
      }),
  }
}

/** A clock that is taken for the machine's may differ from it by less. */
const graceMillis = 1_000

const namesIn = ({ fs }: FileModules, folder: string): ReadonlyArray<string> =>
  ignoringErrors(() => (fs.existsSync(folder) ? fs.readdirSync(folder).slice(0, mostNames) : []), [])

/** A file that cannot be read or removed leaves its lease to count whole, and is met again. */
const ignoringErrors = <A>(use: () => A, otherwise: A): A => {
  try {
    return use()
  } catch {
    return otherwise
  }
}

/** Each killed process leaves one, until another process looks. */
const mostNames = 1_000

/** Marks that are damaged, or of an earlier start of the machine, belong to no lease after so long. */
const isOld = ({ fs }: FileModules, file: string, clock: Clock.Clock): boolean => {
  const found = ignoringErrors(() => fs.lstatSync(file, { throwIfNoEntry: false }), undefined)
  return found?.isFile() === true && clock.currentTimeMillisUnsafe() - found.mtimeMs > 7 * 86_400_000
}
