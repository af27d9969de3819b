/** The names that sections give themselves, which have to differ within a file. */
import type { Diagnostic } from "../Diagnostic.ts"
import { tokenText } from "../Token.ts"
import type { TokenList } from "../Token.ts"
import * as Kind from "../TokenKind.ts"
import { cursorAt, peek, report, takeWord } from "./cursor.ts"

/** Reports every section whose first `# @name` says what that of an earlier section says. No section is parsed for it. */
export function repeatedNames(tokens: TokenList): ReadonlyArray<Diagnostic> {
  const cursor = cursorAt(tokens, 0)
  const seen = new Set<string>()
  let isNameless = false
  for (let index = 0; index < tokens.length; index++) {
    const kind = tokens.data[index * 2]
    if (kind === Kind.SectionMark) isNameless = true
    if (kind !== Kind.DirectiveName || !isNameless || tokenText(tokens, index) !== "name") continue
    isNameless = false
    cursor.index = index + 1
    if (peek(cursor) !== Kind.DirectiveValue) continue
    const name = takeWord(cursor)
    if (seen.has(name.text)) {
      report(cursor, "L105", name, `another section is named ${name.text}; choose a different name`)
    }
    seen.add(name.text)
  }
  return cursor.diagnostics
}
