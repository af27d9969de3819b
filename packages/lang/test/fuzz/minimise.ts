/** Makes a failing case as small as it gets. */
import type { Case } from "./keepCase.ts"

/** Removes ever smaller stretches of the text and of the edit for as long as the case still fails. */
export function minimise(first: Case, fails: (candidate: Case) => boolean): Case {
  let smallest = first
  for (let step = first.text.length; step >= 1; step = Math.floor(step / 2)) {
    for (let start = smallest.text.length - step; start >= 0; start -= Math.max(1, step >> 1)) {
      const candidate = withoutText(smallest, start, step)
      if (candidate !== undefined && fails(candidate)) smallest = candidate
    }
  }
  for (const candidate of smallerEdits(smallest)) if (fails(candidate)) smallest = candidate
  return smallest
}

/** The case without a stretch of its text, if the edit lies on one side of that stretch. */
function withoutText({ text, edit }: Case, start: number, length: number): Case | undefined {
  const end = start + length
  const rest = text.slice(0, start) + text.slice(end)
  if (end <= edit.start) {
    return { text: rest, edit: { start: edit.start - length, end: edit.end - length, text: edit.text } }
  }
  return start >= edit.end ? { text: rest, edit } : undefined
}

function smallerEdits({ text, edit }: Case): ReadonlyArray<Case> {
  const shorter = Array.from(edit.text, (_, index) => edit.text.slice(0, index))
  return [
    { text, edit: { start: 0, end: 0, text: "" } },
    { text, edit: { ...edit, end: edit.start } },
    ...shorter.toReversed().map((written) => ({ text, edit: { ...edit, text: written } })),
  ]
}
