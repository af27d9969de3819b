/** A path that a snapshot leaves out is read in a time that grows with it. */
import { parse } from "@dotrpc/lang"
import { expect, it } from "vitest"
import { snapshotCheck } from "../../src/index.ts"

it("reads a long path in linear time", () => {
  const text = `### a\nplugin_method []\n?? snapshot("result${".a".repeat(40_000)}!")\n`
  const before = performance.now()
  const [found] = parse(text).tree.sections.flatMap(({ checks }) => checks)
  expect(found && snapshotCheck(found)).toEqual({ ignored: [] })
  expect(performance.now() - before).toBeLessThan(2_000)
})
