/** Finds phrases that docs/style.md refuses. The table of that page is the list. Pure: files in, violations out. */
import type { SourceFile, Violation } from "./check.ts"

/** A row of the table. */
export interface Refused {
  readonly phrases: ReadonlyArray<string>
  readonly write: string
  readonly except: ReadonlyArray<string>
}

/** Reads the rows below the heading. Throws on a page without them, since a law without a list forbids nothing. */
export const readRefused = (page: string): ReadonlyArray<Refused> => {
  const [, part] = page.split("\n## Refused phrases\n")
  const rows = (part ?? "").split("\n").flatMap((line): ReadonlyArray<Refused> => {
    const [, phrases = "", write = "", except = ""] = line.split("|")
    const quoted = quotedIn(phrases)
    return quoted.length === 0 ? [] : [{ phrases: quoted, write: write.trim(), except: quotedIn(except) }]
  })
  if (rows.length === 0) throw new Error("docs/style.md has no table of refused phrases")
  return rows
}

export const findPhrases = (
  refused: ReadonlyArray<Refused>,
  files: ReadonlyArray<SourceFile>,
): ReadonlyArray<Violation> => {
  const rows = refused.map((row) => ({ ...row, pattern: patternOf(row.phrases), allowed: patternOf(row.except) }))
  return files.flatMap(({ path, text }) =>
    rows.flatMap(({ allowed, pattern, write }) => {
      const exceptions = [...text.matchAll(allowed)].map((match) => spanOf(match))
      return [...text.matchAll(pattern)].flatMap((match) => {
        const span = spanOf(match)
        if (exceptions.some(({ end, start }) => start <= span.end && span.start <= end)) return []
        const line = text.slice(0, span.start).split("\n").length
        const found = match[0].replace(/\s+/g, " ")
        return [{ path, line, message: `may not say "${found}": write "${write}" (docs/style.md)` }]
      })
    }),
  )
}

const quotedIn = (cell: string): ReadonlyArray<string> =>
  [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, phrase]) => phrase ?? [])

const spanOf = (match: RegExpExecArray): { readonly start: number; readonly end: number } => ({
  start: match.index,
  end: match.index + match[0].length - 1,
})

/** Words apart by white space, or by a line break with the mark of a comment. No phrase at all matches nothing. */
const patternOf = (phrases: ReadonlyArray<string>): RegExp => {
  const forms = phrases.map((phrase) =>
    phrase
      .split(" ")
      .map((word) => (word === "…" ? "[A-Za-z][\\w-]*" : word))
      .join("(?:[ \\t]+|[ \\t]*\\r?\\n[ \\t]*(?:\\*|//|#)?[ \\t]*)"),
  )
  return forms.length === 0 ? /(?!)/g : new RegExp(`(?<![\\w$.-])(?:${forms.join("|")})(?![\\w-])`, "gi")
}
