/**
 * One analysis of each text for every caller: an analysis in progress is waited for, and what became stale is begun again.
 *
 * Invariant: an entry has one analysis that goes on. Another one that begins makes it stale.
 */
import { type Analysis, analyzing, type Sources, type Steps } from "@dotrpc/analysis"
import type { ParseResult } from "@dotrpc/lang"
import { parsingSections } from "../EditorText.ts"
import type { Project } from "../Project.ts"
import type { Slicing } from "./slicing.ts"

/** A text, with what is known of what it means. */
export interface Analysed {
  readonly uri: string
  parsed: ParseResult
  done: { readonly state: State; readonly analysis: Analysis } | undefined
  running: Running | undefined
}

/** An analysis that goes on. */
interface Running {
  readonly state: State
  /** `undefined` when it became stale. */
  readonly ended: Promise<Analysis | undefined>
}

/** What an analysis is of. */
export interface State {
  readonly parsed: ParseResult
  readonly project: Project
  readonly sources: Sources
}

export interface Analyses {
  /** The analysis of an entry in a state, which begins now at the latest; `undefined` while it goes on. */
  readonly now: (entry: Analysed, state: State) => Analysis | undefined
  /** The same once it is done; `undefined` when the entry has another text by then. */
  readonly in: (entry: Analysed, state: State) => Promise<Analysis | undefined>
}

interface AnalysesParts {
  readonly slicing: Slicing
  /** What files of a project were analysed as, for those that import them. */
  readonly lentIn: (project: Project) => Map<string, Analysis>
  readonly onBegin: () => void
}

export const makeAnalyses = ({ lentIn, onBegin, slicing }: AnalysesParts): Analyses => {
  function* analysing({ parsed, project, sources }: State, before: Analysis | undefined): Steps<Analysis> {
    yield* parsingSections(parsed)
    return yield* analyzing(parsed, project.workspace, { before, shared: lentIn(project), sources })
  }
  /** Begins an analysis. The one that goes on for the same entry becomes stale. */
  const begin = (entry: Analysed, state: State): Running => {
    const isStale = () => entry.running?.state !== state || entry.parsed !== state.parsed
    const steps = function* (): Steps<Analysis> {
      onBegin()
      const known = entry.done
      // A file that others import may have been analysed for them.
      const before = known?.state.project === state.project ? known.analysis : lentIn(state.project).get(entry.uri)
      const analysis = yield* analysing(state, before)
      entry.done = { state, analysis }
      return analysis
    }
    entry.running = { state, ended: Promise.resolve(undefined) }
    const running = { state, ended: slicing(steps(), isStale) }
    entry.running = running
    const end = () => {
      if (entry.running === running) entry.running = undefined
    }
    running.ended.then(end, end)
    return running
  }
  return {
    now: (entry, state) => {
      const isRunning = entry.running !== undefined && isSameState(entry.running.state, state)
      if (doneIn(entry, state) === undefined && !isRunning) begin(entry, state)
      return doneIn(entry, state)
    },
    in: async (entry, state) => {
      while (entry.parsed === state.parsed) {
        const known = doneIn(entry, state)
        if (known !== undefined) return known
        // One of another project may finish, or two callers would cancel each other's forever.
        const other = entry.running?.state.parsed === state.parsed ? entry.running : undefined
        const { ended, state: under } = other ?? begin(entry, state)
        const analysis = await ended
        if (analysis !== undefined && isSameState(under, state)) return analysis
      }
      return undefined
    },
  }
}

const doneIn = ({ done }: Analysed, state: State): Analysis | undefined =>
  done !== undefined && isSameState(done.state, state) ? done.analysis : undefined

const isSameState = (left: State, right: State): boolean =>
  left.parsed === right.parsed && left.project === right.project && left.sources === right.sources
