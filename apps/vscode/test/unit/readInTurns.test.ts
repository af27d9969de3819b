/** Of a workspace with any number of files, few are read at a time. */
import { expect, test } from "vitest"

import { readInTurns } from "../../src/checks/readInTurns.ts"

const files = Array.from({ length: 100 }, (_, index) => index)

const readingOf = async (options: { readonly most: number; readonly staleAfter?: number | undefined }) => {
  const read: Array<number> = []
  let [open, mostOpen] = [0, 0]
  const isAll = await readInTurns(
    files,
    async (file) => {
      mostOpen = Math.max(mostOpen, ++open)
      await Promise.resolve()
      open--
      read.push(file)
    },
    { most: options.most, isStale: () => read.length >= (options.staleAfter ?? Infinity) },
  )
  return { isAll, mostOpen, read }
}

test("they are read in their order, one at a time", async () => {
  expect(await readingOf({ most: 100 })).toEqual({ isAll: true, mostOpen: 1, read: files })
})

test("no more are read than the most", async () => {
  expect(await readingOf({ most: 99 })).toEqual({ isAll: false, mostOpen: 1, read: files.slice(0, 99) })
})

test("none is read once nobody needs them", async () => {
  expect((await readingOf({ most: 100, staleAfter: 3 })).read).toEqual(files.slice(0, 3))
})

test("a timer has its turn between files that are known already", async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  let busy = 0
  await readInTurns(
    files,
    async () => {
      for (const end = performance.now() + 1; performance.now() < end;) busy++
    },
    { most: 100 },
  )
  clearInterval(timer)
  expect([busy > 0, turns > 0]).toEqual([true, true])
})
