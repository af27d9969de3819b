/** What the extension does itself with a text, it does in steps; `deep/watchdog` measures what a step takes. */
import type { Steps } from "@dotrpc/analysis"
import { readingCells } from "@dotrpc/lang-service"
import { editorText, parsingSections } from "@dotrpc/session"
import { expect, it } from "vitest"

import { findingChecks } from "../../src/checks/checksOf.ts"
import { findingSecrets } from "../../src/history/withoutSecrets.ts"
import { makeProject } from "../../src/project/Project.ts"

const { workspace } = makeProject({ env: () => undefined, secret: () => undefined, now: 0 })

const textOf = (sections: number): string =>
  Array.from({ length: sections }, (_, index) => `### s${index}\neth_getLogs [{}]\n?? ${index}\n`).join("")

const count = (steps: Steps<unknown>): number => {
  let taken = 0
  while (steps.next().done !== true) taken++
  return taken
}

it.each<readonly [string, (text: string) => Steps<unknown>]>([
  ["the sections", (text) => parsingSections(editorText(text).parsed)],
  ["the checks that the Test Explorer lists", (text) => findingChecks(editorText(text))],
  ["the secrets of what is kept", (text) => findingSecrets(text, workspace)],
  ["the cells of a notebook", (text) => readingCells(editorText(text).parsed)],
])("%s are found in a step for each section, and twice as many for twice the text", (_, work) => {
  const [once, twice] = [count(work(textOf(500))), count(work(textOf(1_000)))]
  expect(once).toBeGreaterThanOrEqual(500)
  expect(twice / once).toBeCloseTo(2, 1)
})
