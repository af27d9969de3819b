/**
 * Notes of results as a person reads them: each kind once, the first ones in words, and how many more there are. A thousand pages may
 * all have the same surprise, each in another place and with another value.
 */

/** Takes notes, and gives those that are shown. */
export interface NoteList {
  readonly add: (words: string) => void
  /** The first ones, in the order in which they came, and a line that counts the others. */
  readonly words: () => ReadonlyArray<string>
  /** That line alone: `["and 3 more"]`, or none. */
  readonly rest: () => ReadonlyArray<string>
}

/**
 * Makes an empty list. `said` gets each note that is shown, as soon as it comes.
 *
 * @example
 * ```ts
 * const notes = noteList((words) => console.error(`note: ${words}`))
 * const logs = RpcClient.call(getLogs, params).pipe(Effect.provideService(ResultNotes, notes.add))
 * ```
 */
export const noteList = (said?: (words: string) => void): NoteList => {
  const kinds = new Set<string>()
  const shown: Array<string> = []
  let others = 0
  const rest = () => (others === 0 ? [] : [`and ${others} more`])
  return {
    add: (words) => {
      // The last line of another list.
      const counted = /^and (\d{1,9}) more$/.exec(words)?.[1]
      if (counted !== undefined) others += Number(counted)
      const kind = kindOf(words)
      if (counted !== undefined || kinds.has(kind) || kinds.size >= mostKinds) return
      kinds.add(kind)
      if (shown.length >= mostShown) others++
      else {
        shown.push(words)
        said?.(words)
      }
    },
    words: () => [...shown, ...rest()],
    rest,
  }
}

/** What a surprise is, wherever it stands and whatever the value. */
const kindOf = (words: string): string => words.replace(/\[\d{1,16}\]/g, "[]").replace(/, found [^]*$/, "")

const mostShown = 10

/** A server chooses names, and may choose others in each reply. */
const mostKinds = 1_000
