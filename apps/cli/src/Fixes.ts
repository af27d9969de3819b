/**
 * Fixes that need no question: those of the text alone, which leave fewer problems. A name that looks misspelt may be
 * another one, so what "did you mean" proposes for methods, networks and values is left to the reader.
 */
import { atOnce, withSoundFixes } from "@dotrpc/analysis"
import { type Fix, parse, type SectionNode, type Span, type TextEdit } from "@dotrpc/lang"
import { indexAt, sectionAt } from "@dotrpc/lang/locate"
import { ExitCode } from "@dotrpc/runner"
import { Effect } from "effect"
import { setImmediate as nextTurn } from "node:timers/promises"
import { CommandFailed } from "./CommandFailed.ts"
import type { Host } from "./Host.ts"
import type { contentIn, requestsIn } from "./markdown/Fences.ts"
import { isMarkdown } from "./markdown/isMarkdown.ts"
import { openSources, problemOfWriting } from "./SourceFiles.ts"

export interface FixedText {
  readonly text: string
  /** How many fixes were made. */
  readonly fixes: number
}

/** How requests are found in Markdown; loaded where there is some. */
export interface Markdown {
  readonly contentIn: typeof contentIn
  readonly requestsIn: typeof requestsIn
}

/** A text, or the requests in Markdown, of which one fix after the other was made, in all sections at once; each leaves fewer problems, so there is an end. */
export const fixedText = (text: string, markdown?: Markdown): FixedText => {
  let [now, made] = [text, 0]
  for (;;) {
    const { diagnostics, tree } = parse(markdown === undefined ? now : markdown.requestsIn(now))
    const lines = markdown?.contentIn(now)
    const fixes = new Map<SectionNode | undefined, Fix>()
    for (const { fix, start } of atOnce(withSoundFixes(diagnostics, tree))) {
      const section = sectionAt(tree, start)
      if (fix === undefined || fixes.has(section)) continue
      if (lines === undefined || fix.edits.every((edit) => isWithin(lines, edit))) fixes.set(section, fix)
    }
    if (fixes.size === 0) return { text: now, fixes: made }
    now = edited(
      now,
      [...fixes.values()].flatMap(({ edits }) => edits),
    )
    made += fixes.size
  }
}

/** Whether an edit is of one line in a fence: prose, the fence itself and the marks of a list or a quotation stay. */
const isWithin = (lines: ReadonlyArray<Span>, { end, start, text }: TextEdit): boolean => {
  const line = lines[indexAt(lines, start)]
  return line !== undefined && end <= line.end && !/[\r\n]/.test(text)
}

/** Edits in their order. What lies between them is not copied for each. */
const edited = (text: string, edits: ReadonlyArray<TextEdit>): string => {
  const parts: Array<string> = []
  let at = 0
  for (const { end, start, text: own } of edits) {
    parts.push(text.slice(at, start), own)
    at = end
  }
  return [...parts, text.slice(at)].join("")
}

/** A file that has fixes: how many were made, or why they could not be written. */
export interface FixedFile {
  readonly file: string
  readonly fixes: number
  readonly problem?: string | undefined
}

/** Replaces the files that the names and globs match by fixed ones. The reader of the files reports those that cannot be read. */
export const fixFiles = Effect.fnUntraced(function* (host: Host["Service"], patterns: ReadonlyArray<string>) {
  const { sources } = yield* Effect.promise((signal) => openSources(host, patterns, signal))
  if (sources.some(({ isStream }) => isStream))
    return yield* new CommandFailed({
      lines: ["--fix writes into files: name one instead of -"],
      exitCode: ExitCode.invalid,
    })
  const fixed: Array<FixedFile> = []
  for (const source of sources) {
    const { file, path, text } = source
    // A signal may have come while the file before was read.
    yield* Effect.promise(() => nextTurn())
    const markdown = isMarkdown(path) ? yield* Effect.promise(() => import("./markdown/Fences.ts")) : undefined
    const { fixes, text: after } = fixedText(text, markdown)
    if (fixes > 0) fixed.push({ file, fixes, problem: problemOfWriting(source, after) })
  }
  return fixed
})
