/** The name of a kept result is found in a time that grows with the text. */
import { atOnce } from "@dotrpc/analysis"
import { expect, it } from "vitest"
import { renamingSnapshot } from "../../src/index.ts"

it.each(['"\\', '{"', "{", ":"])("is found quickly in a long text that is not JSON, of %s", (part) => {
  const before = performance.now()
  atOnce(renamingSnapshot(part.repeat(400_000), { uri: "file:///a.rpc.snap", name: "logs", newName: "transfers" }))
  expect(performance.now() - before).toBeLessThan(5_000)
})
