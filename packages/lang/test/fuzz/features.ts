/** What is worth keeping about a text: the kinds of its tokens and the codes of its diagnostics, two at a time. */
import { parse, tokenKind } from "../../src/index.ts"

/** The neighbourhoods that a text shows. */
export function features(text: string): ReadonlySet<string> {
  const { tree, diagnostics } = parse(text)
  const shown = new Set<string>()
  for (let index = 0; index <= tree.tokens.length; index++) {
    shown.add(`${tokenKind(tree.tokens, index - 1)} ${tokenKind(tree.tokens, index)}`)
  }
  let before = "none"
  for (const { code } of diagnostics) {
    shown.add(`${before} ${code}`)
    before = code
  }
  return shown
}
