/**
 * Fixes that are made without asking: those of the text alone, which leave fewer problems. A name that looks misspelt may be
 * another one, so what "did you mean" proposes for methods, networks and values is left to the reader.
 */
import { atOnce, withSoundFixes } from "@dotrpc/analysis"
import { type Fix, parse, type SectionNode, type TextEdit } from "@dotrpc/lang"
import { sectionAt } from "@dotrpc/lang/locate"
import { AtomicFile } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { Effect } from "effect"
import { setImmediate as nextTurn } from "node:timers/promises"
import { CommandFailed } from "./CommandFailed.ts"
import type { Host } from "./Host.ts"
import { isMarkdown, requestsIn } from "./markdown/Fences.ts"
import { openSources } from "./SourceFiles.ts"

export interface FixedText {
  readonly text: string
  /** How many fixes were made. */
  readonly fixes: number
}

/** A text of which one fix after the other was made, in all sections at once; each leaves fewer problems, so there is an end. */
export const fixedText = (text: string, read: (text: string) => string = (same) => same): FixedText => {
  let [now, made] = [text, 0]
  for (;;) {
    const { diagnostics, tree } = parse(read(now))
    const fixes = new Map<SectionNode | undefined, Fix>()
    for (const { fix, start } of atOnce(withSoundFixes(diagnostics, tree))) {
      const section = sectionAt(tree, start)
      if (fix !== undefined && !fixes.has(section)) fixes.set(section, fix)
    }
    if (fixes.size === 0) return { text: now, fixes: made }
    now = edited(
      now,
      [...fixes.values()].flatMap(({ edits }) => edits),
    )
    made += fixes.size
  }
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

export interface FixedFiles {
  readonly problems: ReadonlyArray<string>
  readonly written: ReadonlyArray<{ readonly file: string; readonly fixes: number }>
}

/** Writes fixed files in place of those that the names and globs match. */
export const fixFiles = Effect.fnUntraced(function* (host: Host["Service"], patterns: ReadonlyArray<string>) {
  const { problems, sources } = yield* Effect.promise((signal) => openSources(host, patterns, signal))
  const written: Array<FixedFiles["written"][number]> = []
  if (problems.length > 0) return { problems, written }
  if (sources.some(({ isStream }) => isStream))
    return { problems: ["--fix writes into files: name one instead of -"], written }
  for (const { file, path, text } of sources) {
    // A signal may have come while the file before was read.
    yield* Effect.promise(() => nextTurn())
    const { fixes, text: after } = fixedText(text, isMarkdown(path) ? requestsIn : undefined)
    if (fixes === 0) continue
    yield* Effect.try({
      try: () => AtomicFile.replace(path, after, { links: "follow" }),
      catch: (error) =>
        new CommandFailed({
          lines: [`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`],
          exitCode: ExitCode.failed,
        }),
    })
    written.push({ file, fixes })
  }
  return { problems, written }
})
