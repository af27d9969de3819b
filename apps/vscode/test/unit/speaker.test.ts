/** Of a file that is open as text and as a notebook, one view tells what is wrong. */
import { expect, test } from "vitest"

import { type FileView, speakerOf } from "../../src/language/speaker.ts"

const check = (views: ReadonlyArray<FileView>, expected: FileView["kind"] | undefined) => {
  expect(speakerOf(views)).toBe(expected)
  expect(speakerOf(views.toReversed())).toBe(expected)
}

test("the only view there is", () => {
  check([{ kind: "notebook", isShown: false, turnedTo: 0 }], "notebook")
  check([], undefined)
})

test("the one in view, also when the covered one was in front later", () =>
  check(
    [
      { kind: "text", isShown: false, turnedTo: 7 },
      { kind: "notebook", isShown: true, turnedTo: 3 },
    ],
    "notebook",
  ))

test("of two in view, the one that a person turned to last", () =>
  check(
    [
      { kind: "text", isShown: true, turnedTo: 7 },
      { kind: "notebook", isShown: true, turnedTo: 3 },
    ],
    "text",
  ))

test("a second tab of the text counts as text", () =>
  check(
    [
      { kind: "text", isShown: false, turnedTo: 1 },
      { kind: "notebook", isShown: true, turnedTo: 2 },
      { kind: "text", isShown: true, turnedTo: 3 },
    ],
    "text",
  ))
