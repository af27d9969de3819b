/** What a click can do about how a request ended. */
import { analyze } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import type { ErrorReport } from "@dotrpc/runner"
import { expect, test } from "vitest"

import { makeProject } from "../../src/project/Project.ts"
import { repairsFor } from "../../src/results/repairs.ts"
import { report } from "./reports.ts"

const config = `{ "networks": {
  "keyed": { "plugin": "evm", "url": "https://x.example/v3/{{$secret.KEY}}", "wsUrl": "wss://x.example/v3/{{$secret.KEY}}" },
  "known": { "plugin": "evm", "url": "https://x.example/v3/{{$secret.KNOWN}}" } } }`

const check = (text: string, error: Partial<ErrorReport>, expected: ReadonlyArray<string>) => {
  const project = makeProject({
    configFile: { uri: "file:///rpc.config.json", text: config },
    env: () => undefined,
    secret: (name) => (name === "KNOWN" ? "canary-9911" : undefined),
    now: 0,
  })
  const analysis = analyze(parse(text), project.workspace)
  const [request] = analysis.requests
  if (request === undefined) throw new Error("There is no request.")
  const ended = report({ request, error: { reason: "Other", id: "", message: "", retryable: false, ...error } })
  expect(repairsFor({ analysis, project }, ended).map(({ title }) => title)).toEqual(expected)
}

const filter = '[{ "fromBlock": "0x1", "toBlock": "0x2" }]'

test("a secret that has no value is set, once for both addresses of a network", () =>
  check(`### A\n# @network keyed\neth_getLogs ${filter}\n`, {}, ["Set KEY"]))

test("a secret of the text is set, and one that has a value is not asked for", () =>
  check('### A\n# @network known\neth_getLogs [{ "address": {{$secret.TOKEN}} }]\n', {}, ["Set TOKEN"]))

test("a secret that was not accepted is set again, where the address has one", () => {
  check(`### A\n# @network known\neth_getLogs ${filter}\n`, { reason: "AuthFailed" }, ["Set KNOWN again"])
  check(`### A\n# @network evm\neth_getLogs ${filter}\n`, { reason: "AuthFailed" }, [])
})

test("another mistake is not one of a secret", () => {
  check('### A\n# @network known\neth_getLogs [{ "fromBlok": "0x1" }]\n', {}, ['Rename to "fromBlock"'])
  check('### A\n# @network known\neth_getLogs [{ "fromBlock": "x" }]\n', {}, [])
})

test("a mistake that can only be meant in one way is repaired", () =>
  check(`### A\n# @network known\n# @buget 100\neth_getLogs ${filter}\n`, {}, ["Write @budget"]))

test("a query that is too large is read in pieces", () =>
  check(`### A\n# @network known\neth_getLogs ${filter}\n`, { reason: "SplitRequired" }, [
    "Read it in pieces (adds # @all)",
  ]))

test("a budget is raised where it is written", () => {
  const refused = { reason: "BudgetRefused", budgetNeeded: 255 }
  check(`### A\n# @network known\n# @budget 9\neth_getLogs ${filter}\n`, refused, ["Raise # @budget to 255"])
  check(`### A\n# @network known\neth_getLogs ${filter}\n`, refused, [])
})

test("what was too early runs again in time", () =>
  check(`### A\n# @network known\neth_getLogs ${filter}\n`, { waitMillis: 1_500 }, ["Run again in 1.5 s"]))
