/** What a snapshot keeps, what it compares, and what it refuses. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { analyze, makeWorkspace, snapshotCheck } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import { atOnce, defineNetwork, Json, Visible } from "@dotrpc/spec"
import {
  longestSnapshot,
  makeSnapshots,
  readingSnapshots,
  showDifferences,
  type SnapshotOptions,
} from "../src/index.ts"

const analysisOf = (text: string) => analyze(parse(text), workspace)

const { workspace } = makeWorkspace({ plugins: [], config: {}, now: 0 })

const call = `eth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x2", "latest"]`

interface Given {
  readonly check?: string
  /** The result that is kept; none is when absent. */
  readonly kept?: string
  readonly file?: string
  readonly options?: Partial<SnapshotOptions>
}

const joined = (pieces: Iterable<string> | undefined) => (pieces === undefined ? undefined : [...pieces].join(""))

/** Compares a result, and gives the outcome and the file that is to be written. */
const compared = (result: string, { check = "snapshot", file, kept, options }: Given) => {
  const analysis = analysisOf(`### a\n${call}\n?? ${check}\n`)
  const [request] = analysis.requests
  const [written] = request?.section.checks ?? []
  if (request === undefined || written === undefined) throw new Error("there is no check")
  const text = file ?? (kept === undefined ? undefined : `{"version":1,"snapshots":{"a":${kept}}}`)
  const before = atOnce(readingSnapshots(text))
  const snapshots = makeSnapshots({ analysis, kept: before, file: "a.rpc.snap", ...options })
  const said = snapshotCheck(written)
  if (said === undefined) throw new Error("it is not a snapshot")
  const outcome = atOnce(snapshots.checking(request, Json.parse(result), said))
  return { outcome, written: joined(snapshots.written(before)), obsolete: snapshots.obsolete() }
}

const notOne =
  "a.rpc.snap is not a file of snapshots: fix it, or run all requests of the file with dotrpc run --update, which writes it again"

describe("a snapshot", () => {
  const check = (name: string, result: string, given: Given, expected: string | ReadonlyArray<string>) =>
    it(name, () => {
      const { outcome } = compared(result, given)
      const said =
        outcome._tag === "Different"
          ? showDifferences(outcome.differences, 40)
          : outcome._tag === "Refused"
            ? outcome.problem
            : outcome._tag
      expect(said).toEqual(expected)
    })
  check("is equal in whatever order members come", '{"b":1,"a":2}', { kept: '{"a":2,"b":1}' }, "Equal")
  check("is compared digit for digit", "18446744073709551616", { kept: "18446744073709551615" }, [
    "- result: 18446744073709551615",
    "+ result: 18446744073709551616",
  ])
  check("is compared as written: 1.0 is not 1", "1.0", { kept: "1" }, ["- result: 1", "+ result: 1.0"])
  check("shows what is new and what is gone by its path", '[{"a":1,"c d":2}]', { kept: '[{"a":1,"b":2}]' }, [
    "- result[0].b: 2",
    '+ result[0]["c d"]: 2',
  ])
  check("shows items that are new", "[1,2]", { kept: "[1]" }, ["+ result[1]: 2"])
  check(
    "does not compare what is left out",
    '[{"t":1,"v":2}]',
    { check: 'snapshot("result[*].t")', kept: '[{"v":2}]' },
    "Equal",
  )
  check(
    "leaves an item out and compares the others in their places",
    "[9,2]",
    { check: 'snapshot("result[0]")', kept: "[1,2]" },
    "Equal",
  )
  check("is written by the first run", "1", {}, "Written")
  check("is written again when that is asked for", "2", { kept: "1", options: { update: true } }, "Written")
  check(
    "is missing in CI",
    "1",
    { options: { isFrozen: true } },
    "a.rpc.snap has no snapshot of it: run with --update and commit that file",
  )
  check("is written in CI when that is asked for", "1", { options: { isFrozen: true, update: true } }, "Written")
  check(
    "has no secret",
    '{"url":"https://x/•••"}',
    {},
    'the result has a secret: leave it out by its path, as in ?? snapshot("result.url")',
  )
  check("may leave a secret out", '{"url":"•••"}', { check: 'snapshot("result.url")' }, "Written")
  check(
    "has a bound",
    JSON.stringify("x".repeat(longestSnapshot)),
    {},
    "the result is longer than 1 MB: ask for less, or leave parts out by their paths",
  )
  for (const file of ["", "{", "[]", '{"version":2,"snapshots":{}}', '{"version":1}'])
    check(`is not read from a file that is something else: ${file}`, "1", { file }, notOne)
  check(
    "does not replace such a file in a run of some requests",
    "1",
    { file: "<<<<<<< HEAD", options: { update: true } },
    notOne,
  )
  check(
    "replaces such a file in a run of all requests",
    "1",
    { file: "<<<<<<< HEAD", options: { update: true, isWhole: true } },
    "Written",
  )
  it("has one value on each line, members by their names and every digit", () => {
    expect(compared('{"b":[18446744073709551616],"a":0.10}', {}).written).toBe(
      '{\n  "version": 1,\n  "snapshots": {\n    "a": {\n      "a": 0.10,\n      "b": [\n        18446744073709551616\n      ]\n    }\n  }\n}\n',
    )
  })
  it("of other requests stays, and is reported when no request has its name", () => {
    const { obsolete, written } = compared("1", { file: '{"version":1,"snapshots":{"gone":2}}' })
    expect(obsolete).toEqual(["gone"])
    expect(Json.parse(written ?? "")).toEqual({ version: 1, snapshots: { a: 1, gone: 2 } })
  })
  it("of the second request of a name has a number", () => {
    const analysis = analysisOf(`### a\n${call}\n?? snapshot\n### a\n${call}\n?? snapshot\n`)
    const snapshots = makeSnapshots({ analysis, kept: new Map(), file: "a.rpc.snap" })
    for (const [index, request] of analysis.requests.entries())
      atOnce(snapshots.checking(request, index, { ignored: [] }))
    expect(Json.parse(joined(snapshots.written(new Map())) ?? "")).toEqual({
      version: 1,
      snapshots: { a: 0, "a (2)": 1 },
    })
  })
  it("of each of several requests has a name of its own, whatever their titles are", () => {
    const title = fc.constantFrom("a", "a (2)", "a (3)", "a (2) (2)", "b")
    fc.assert(
      fc.property(fc.array(title, { maxLength: 8 }), (titles) => {
        const analysis = analysisOf(titles.map((each) => `### ${each}\n${call}\n?? snapshot\n`).join("\n"))
        const snapshots = makeSnapshots({ analysis, kept: new Map(), file: "a.rpc.snap" })
        for (const [index, request] of analysis.requests.entries())
          atOnce(snapshots.checking(request, index, { ignored: [] }))
        const text = joined(snapshots.written(new Map()))
        const kept = text === undefined ? new Map() : atOnce(readingSnapshots(text))
        expect([...(kept?.values() ?? [])].toSorted()).toEqual(titles.map((_, index) => index))
      }),
    )
  })
  it("has the same values in its file, and no character that controls the program that shows it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const { written = "" } = compared(Json.stringify(text), {})
        expect(written.replaceAll("\n", "")).toBe(Visible.line(written.replaceAll("\n", "")))
        expect(atOnce(readingSnapshots(written))?.get("a")).toBe(text)
      }),
    )
  })
  it("is shown without a key that somebody wrote into it", () => {
    const key = "0a1b2c3d4e5f6a7b8c9d"
    const analysis = analysisOf(`### a\n${call}\n?? snapshot\n`)
    const network = defineNetwork({ id: "keyed", plugin: "test", url: `https://node.example/v3/${key}` })
    const kept = atOnce(readingSnapshots(`{"version":1,"snapshots":{"a":"https://${key}/"}}`))
    const snapshots = makeSnapshots({ analysis, kept, file: "a.rpc.snap" })
    for (const request of analysis.requests.map((each) => ({ ...each, network }))) {
      const outcome = atOnce(snapshots.checking(request, "1", { ignored: [] }))
      expect(outcome).toMatchObject({ _tag: "Different", differences: [{ left: "https://•••/" }] })
      expect(snapshots.texts(request, "1", { ignored: [] })?.left).toBe('"https://•••/"')
    }
  })
  it("that was not taken writes nothing", () => {
    expect(compared("2", { kept: "1" }).written).toBeUndefined()
  })
})
