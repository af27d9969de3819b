import { analyze, atOnce } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import { lineIndex } from "@dotrpc/lang/locate"
import { describe, expect, it } from "vitest"
import { renamingSnapshot, rename, snapshotNames } from "../src/index.ts"
import { apply, openAt } from "./cursor.ts"

const uri = "file:///a.rpc.snap"

describe("the name of a kept result", () => {
  const check = (what: string, text: string, expected: string | undefined) =>
    it(what, () => {
      const change = atOnce(renamingSnapshot(text, { uri, name: "logs", newName: "transfers" }))
      if (change === undefined) return expect(expected).toBe(undefined)
      expect("reason" in change ? change.reason : apply({ lines: lineIndex(text) }, [change])).toBe(expected)
    })
  check(
    "follows that of its request",
    '{\n  "version": 1,\n  "snapshots": {\n    "logs": { "logs": 1 },\n    "logs 2": "logs"\n  }\n}\n',
    '{\n  "version": 1,\n  "snapshots": {\n    "transfers": { "logs": 1 },\n    "logs 2": "logs"\n  }\n}\n',
  )
  check(
    "is found however the file is written",
    '{"snapshots":{"logs":[{"logs":1}]}}',
    '{"snapshots":{"transfers":[{"logs":1}]}}',
  )
  check("is not one outside the snapshots", '{"logs":1,"other":{"logs":1},"snapshots":{"a":{"logs":1}}}', undefined)
  check("is not a value", '{"snapshots":{"a":"logs"}}', undefined)
  check(
    "is not taken from another result",
    '{"snapshots":{"logs":1,"transfers":2}}',
    'a.rpc.snap already keeps a result of "transfers": choose another name, or remove that result with dotrpc run --update',
  )
  check("is found in a text that is cut off", '{"snapshots":{"logs":1,"a\\', '{"snapshots":{"transfers":1,"a\\')
  it("is looked for in a step for each 2,000 signs of a long text that is not JSON", () => {
    const stepsFor = (text: string): number => {
      const steps = renamingSnapshot(text, { uri, name: "logs", newName: "transfers" })
      let taken = 0
      while (steps.next().done !== true) taken++
      return taken
    }
    expect(['"\\', '{"', "{", ":"].map((part) => stepsFor(part.repeat(400_000)))).toEqual([0, 200, 200, 200])
  })
})

describe("the names of kept results", () => {
  const check = (what: string, marked: string, expected: ReadonlyArray<string>) =>
    it(what, () => {
      const { document: opened, position, text } = openAt(marked)
      const { workspace } = opened.analysis
      const uri = "file:///project/a.rpc"
      const document = {
        ...opened,
        analysis: analyze(parse(text), workspace, { sources: { uri, files: new Map(), texts: new Map() } }),
      }
      const changes = rename(document, position, "transfers")
      const found = "reason" in changes ? [] : snapshotNames(document, position, "transfers", changes)
      expect(found.map(({ name, newName, uri }) => `${uri}: ${name} → ${newName}`)).toEqual(expected)
    })
  const home = "file:///project/a.rpc.snap"
  check("are that of a request with a snapshot", "###\n# @name lo|gs\neth_getLogs [{}]\n?? snapshot", [
    `${home}: logs → transfers`,
  ])
  check("are none without a snapshot", "###\n# @name lo|gs\neth_getLogs [{}]\n?? result == 1", [])
  check("are none of a variable", "@lo|gs = 1\n###\neth_getLogs [{}]\n?? snapshot", [])
})
