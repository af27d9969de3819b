/** Patterns of all shapes, as a document may have them. */
import fc from "fast-check"

const atoms = fc.constantFrom("a", "b", "[ab]", "[^a]", ".", String.raw`\d`, String.raw`\w`, "0", "-")
const counts = fc.constantFrom("", "", "", "?", "*", "+", "{2}", "{0,2}", "{1,}", "*?")
const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(atoms, counts).map((parts) => parts.join("")),
    fc.tuple(tie("pattern"), counts).map(([inner, count]) => `(${inner})${count}`),
  ),
  pattern: fc
    .array(
      fc.array(tie("part"), { maxLength: 3 }).map((parts) => parts.join("")),
      { minLength: 1, maxLength: 2 },
    )
    .map((choices) => choices.join("|")),
}))
/** Anchored or not. */
export const anyPattern = fc
  .tuple(fc.constantFrom("", "^"), pattern, fc.constantFrom("", "$"))
  .map((parts) => parts.join(""))
