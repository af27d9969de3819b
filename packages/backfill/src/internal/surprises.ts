/** What was unexpected in the results of a worker, and is kept as it was sent: each surprise is said once. */
import { type NoteList, noteList } from "@dotrpc/spec"
import * as Effect from "effect/Effect"

export interface Surprises {
  readonly notes: NoteList
  /** Those that were not said yet. */
  readonly fresh: Array<string>
  /** What was said last of how many more there are. */
  rest: string | undefined
}

/** By the options of the worker, which all of its legs share. */
const surprisesBy = new WeakMap<object, Surprises>()

export const surprisesOf = (options: object): Surprises => {
  const fresh: Array<string> = []
  const known = surprisesBy.get(options) ?? { notes: noteList((words) => fresh.push(words)), fresh, rest: undefined }
  surprisesBy.set(options, known)
  return known
}

export const sayNew = (surprises: Surprises, method: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    const [rest] = surprises.notes.rest()
    const said = [...surprises.fresh.splice(0), ...(rest === undefined || rest === surprises.rest ? [] : [rest])]
    surprises.rest = rest
    return Effect.forEach(said, (words) => Effect.logWarning(`in results of ${method}: ${words}`), { discard: true })
  })
