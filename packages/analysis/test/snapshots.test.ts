/** Which checks are snapshots, what they leave out, and what is wrong with them. */
import { parse } from "@dotrpc/lang"
import { describe, expect, it } from "vitest"
import { analyze, makeWorkspace, snapshotCheck } from "../src/index.ts"

const { workspace } = makeWorkspace({ plugins: [], config: {}, now: 0 })

const textOf = (...checks: ReadonlyArray<string>) =>
  `### a\nplugin_method []\n${checks.map((check) => `?? ${check}\n`).join("")}`

describe("a check of a snapshot", () => {
  const check = (written: string, expected: ReturnType<typeof snapshotCheck>) =>
    it(written, () => {
      const [found] = parse(textOf(written)).tree.sections.flatMap(({ checks }) => checks)
      expect(found && snapshotCheck(found)).toEqual(expected)
    })
  check("snapshot", { ignored: [] })
  check("snapshot()", { ignored: [] })
  check('snapshot("result.hash")', { ignored: [["hash"]] })
  check('snapshot("result[*].logs[0].data", "result.*.at")', {
    ignored: [
      ["*", "logs", 0, "data"],
      ["*", "at"],
    ],
  })
  check("snapshot == 1", undefined)
  check("result.snapshot", undefined)
  check("other()", undefined)
})

describe("a snapshot that cannot be compared", () => {
  const check = (name: string, checks: ReadonlyArray<string>, expected: ReadonlyArray<string>) =>
    it(name, () => {
      const { diagnostics } = analyze(parse(textOf(...checks)), workspace)
      const own = diagnostics.filter(({ code }) => code !== "A101" && code !== "A105")
      expect(own.map(({ code, message }) => `${code} ${message}`)).toEqual(expected)
    })
  const noPath = 'A316 expected a path to leave out, such as "result[*].timestamp"'
  check("is not one", ["snapshot", "result != null"], [])
  check("has a path that does not begin with the result", ['snapshot("timestamp")'], [noPath])
  check("leaves out all of the result", ['snapshot("result")'], [noPath])
  check("has a path that ends too early", ['snapshot("result[")', "calls == 1"], [noPath])
  check("has a path that is not a string", ["snapshot(result.hash)"], [noPath])
  check(
    "is the second one of its request",
    ["snapshot", 'snapshot("result.a")'],
    ["A316 a request has one snapshot: put all paths into one check"],
  )
  check(
    "is a part of an expression",
    ["snapshot && calls == 1"],
    ['A201 "snapshot" is a check of its own: write ?? snapshot, and other checks on other lines'],
  )
  check("has a long path that ends in another sign", [`snapshot("result${".a".repeat(500)}!")`], [noPath])
})
