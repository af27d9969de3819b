/** Of a workspace with any number of files, few are read at a time. */
import { afterEach, expect, test, vi } from "vitest"

import { readInTurns } from "../../src/checks/CheckTree.ts"

afterEach(() => void vi.useRealTimers())

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

test("others have their turn every 5 ms, between files that are known already too", async () => {
  vi.useFakeTimers({ toFake: ["performance"] })
  let [turns, isOver] = [0, false]
  const turn = (): void => {
    if (isOver) return
    turns++
    setImmediate(turn)
  }
  setImmediate(turn)
  await readInTurns(files, async () => void vi.advanceTimersByTime(1), { most: 100 })
  isOver = true
  expect(turns).toBe(19)
})
