/** The names that sections give themselves, which have to differ within a file. */
import type { Diagnostic } from "../Diagnostic.ts"
import type { TokenList } from "../Token.ts"
import * as Kind from "../TokenKind.ts"
import { cursorAt, kindAt, peek, report, takeWord, tokenTextAt } from "./cursor.ts"

/** Reports every section whose first `# @name` says what that of an earlier section says. No section is parsed for it. */
export function repeatedNames(tokens: TokenList): ReadonlyArray<Diagnostic> {
  const cursor = cursorAt(tokens, 0)
  const seen = new Set<string>()
  let isNameless = false
  for (; cursor.index < tokens.length; cursor.index++) {
    const kind = kindAt(cursor, cursor.index)
    if (kind === Kind.SectionMark) isNameless = true
    if (kind !== Kind.DirectiveName || !isNameless || tokenTextAt(cursor) !== "name") continue
    isNameless = false
    cursor.index++
    if (peek(cursor) !== Kind.DirectiveValue) continue
    const name = takeWord(cursor)
    if (seen.has(name.text)) {
      report(cursor, "L105", name, `Another section is named ${name.text}; choose a different name`)
    }
    seen.add(name.text)
  }
  return cursor.diagnostics
}
