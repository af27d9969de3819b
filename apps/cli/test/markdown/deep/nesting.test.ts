/** Markdown that is made to keep its reader busy is read soon: measured. */
import { expect, it } from "vitest"
import { requestsIn } from "../../../src/markdown/Fences.ts"

it("prose that is made of brackets and asterisks is read soon", () => {
  const before = process.threadCpuUsage().user
  for (const piece of ["[", "![", "*a", "_a_ ", "[a](", "`", "<a", "&#", "\\"])
    expect(requestsIn(`a ${piece.repeat(20_000)}\n\n\`\`\`rpc\nm\n\`\`\`\n`)).toContain("\nm\n")
  expect((process.threadCpuUsage().user - before) / 1e6).toBeLessThan(20)
})
