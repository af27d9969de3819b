/** The largest number that a server takes, in few questions: the one it names, then those that servers usually have, then by halves. */
import { Effect } from "effect"

export interface Search {
  /** Taken for sure; 0 where nothing is known to be. */
  readonly least: number
  /** Refused for sure. */
  readonly most: number
  /** The one that the server named when it refused. */
  readonly named: number | undefined
  /** In ascending order. */
  readonly usual: ReadonlyArray<number>
}

/** `takes` gives `undefined` where it may not be asked again; the largest number is not known then. */
export const largest = Effect.fnUntraced(function* <E, R>(
  { least, most, named, usual }: Search,
  takes: (value: number) => Effect.Effect<boolean | undefined, E, R>,
) {
  const known = { taken: least, refused: most, isOver: false }
  const ask = Effect.fnUntraced(function* (value: number) {
    if (known.isOver || value <= known.taken || value >= known.refused) return
    const answer = yield* takes(value)
    if (answer === undefined) known.isOver = true
    else if (answer) known.taken = value
    else known.refused = value
  })
  if (named !== undefined) {
    yield* ask(named)
    // Some count the blocks, and some the steps between them.
    yield* ask(known.taken === named ? named + 1 : named - 1)
    if (known.taken === named + 1) yield* ask(named + 2)
  }
  for (let between = usual; !known.isOver;) {
    between = between.filter((value) => known.taken < value && value < known.refused)
    const middle = between[Math.floor(between.length / 2)]
    if (middle === undefined) break
    yield* ask(middle)
  }
  yield* ask(known.taken + 1)
  yield* ask(known.taken + 1)
  while (!known.isOver && known.refused - known.taken > 1) yield* ask(Math.floor((known.taken + known.refused) / 2))
  return known.isOver ? undefined : known.taken
})
