import { analyze, makeWorkspace } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import { carriedPlugins } from "@dotrpc/project"
import { makePlan } from "@dotrpc/runner"
import { expect, test } from "vitest"
import { planElsewhere } from "../../src/commands/showPlan.ts"

const { workspace } = makeWorkspace({
  plugins: [...carriedPlugins.values()],
  config: { networks: { evm: { plugin: "evm", url: "embedded:evm" } } },
  now: 0,
})
const plan = makePlan(
  analyze(parse("###\neth_getLogs [{}]\n###\neth_getLogs [{}]\n###\neth_getLogs [{}]\n"), workspace),
)

const now = Date.parse("2026-08-01T00:00:00Z")

const check = (names: ReadonlyArray<string>, expected: ReadonlyArray<string>) =>
  test(`a plan at ${JSON.stringify(names)}`, () => expect(planElsewhere(plan, names, now)).toEqual(expected))

check([], [])
check(["alchemy", "infura", "alchemy"], ["alchemy 180 CU ($0.000081)", "infura 765 credits, undated prices"])
check(["helius"], ["helius 3 credits, prices of 2025-11-11"])
check(["alchmy"], ['unknown provider "alchmy"; did you mean "alchemy"?'])
