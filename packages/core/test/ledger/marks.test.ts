/** Which leases the marks of a process cover, after each thing that it does. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { afterAll } from "vitest"
import { type Mark, makeMarks, type Marks, marksOf, usedOf } from "../../src/ledger/marks.ts"
import { nodeModules } from "../../src/ledger/node.ts"

const folder = mkdtempSync(join(tmpdir(), "dotrpc-marks-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ofAll = (marks: ReadonlyArray<Mark>) =>
  Object.fromEntries(marks.map(({ until, used }) => [until, used] as const).filter(([until]) => until > 0))

let owners = 0
const check = (name: string, use: (marks: Marks) => void, expected: Readonly<Record<number, number>>) =>
  it(name, () => {
    const of = { folder, owner: `owner-${owners++}`, boot: "this start" }
    const marks = makeMarks(nodeModules(), of)
    use(marks)
    assert.deepStrictEqual(ofAll(marksOf(nodeModules(), of)), expected)
    assert.deepStrictEqual(ofAll(marksOf(nodeModules(), { ...of, boot: "another start" })), {})
    marks.close()
    assert.deepStrictEqual(ofAll(marksOf(nodeModules(), of)), {})
  })

const first = (marks: Marks) => {
  marks.begin(10, 1)
  marks.confirm()
}

check("a lease that is asked for is marked", (marks) => marks.begin(10, 1), { 10: 1 })
check(
  "while another lease is asked for, both are marked",
  (marks) => {
    first(marks)
    marks.begin(20, 2)
    marks.set(5, 3)
  },
  { 10: 5, 20: 3 },
)
check(
  "the lease before is forgotten with the first mark of the next",
  (marks) => {
    first(marks)
    marks.begin(20, 2)
    marks.confirm()
    marks.set(6, 0)
  },
  { 20: 6 },
)
check(
  "the lease before stays marked where the next one was not granted and is asked for again",
  (marks) => {
    first(marks)
    marks.begin(20, 2)
    marks.begin(30, 3)
    marks.set(7, 4)
  },
  { 10: 7, 30: 4 },
)
check(
  "a file that was removed is written again with the next lease",
  (marks) => {
    first(marks)
    rmSync(join(folder, `owner-${owners - 1}`))
    marks.begin(20, 2)
  },
  { 10: 1, 20: 2 },
)

it("a mark that is not a number of credits counts for nothing", () => {
  const used = (used: number) => usedOf([{ until: 10, used }], 400, 10)
  assert.deepStrictEqual([80, 800, -1, Number.NaN, Number.NEGATIVE_INFINITY].map(used), [80, 400, 400, 400, 400])
})
