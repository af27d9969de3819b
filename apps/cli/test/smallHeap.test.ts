/** What a process keeps that has left much behind. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, it } from "vitest"

const { href } = pathToFileURL(join(import.meta.dirname, "../src/smallHeap.ts"))

/** What a process prints that reads 300 MB, and then does this. V8 adds a line for each collection. */
const printedBy = (program: string): string => {
  const before = `
    import { collectWhenLarge, keepHeapSmall } from ${JSON.stringify(href)}
    let all = Array.from({ length: 40_000 }, (_, index) => new Array(1_000).fill(index))
    keepHeapSmall()`
  const args = ["--trace-gc", "--input-type=module", "--eval", `${before}\n${program}`]
  const { stderr, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" })
  expect(stderr).toBe("")
  return stdout
}

const megabytesAfter = (step: string): number => {
  const printed = printedBy(`all = []\n${step}\nconsole.log("left", process.memoryUsage.rss() / 1e6)`)
  return Number(/^left (\S+)$/m.exec(printed)?.[1])
}

it("a large process returns what it does not use", () => {
  expect(megabytesAfter("")).toBeGreaterThan(300)
  expect(megabytesAfter("collectWhenLarge()")).toBeLessThan(230)
})

it("a process that uses what it has is not collected at each step", () => {
  const [, steps] = printedBy(`
    console.log("steps")
    for (let step = 0; step < 1_000; step++) collectWhenLarge()
    console.log(all.length)`).split(/^steps$/m)
  const collections = steps?.match(/Mark-Compact/g)?.length ?? 0
  expect(collections).toBeGreaterThan(0)
  // V8 collects several times for one request, as long as that returns anything.
  expect(collections).toBeLessThan(20)
})
