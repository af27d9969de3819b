/** What a folder that is not trusted may run. */
import { analyze } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import { makePlan } from "@dotrpc/runner"
import { expect, test } from "vitest"

import { makeProject } from "../../src/project/Project.ts"
import { refusalOf } from "../../src/run/refusal.ts"

const config = `{ "networks": {
  "here": { "plugin": "evm", "url": "embedded:evm" },
  "open": { "plugin": "evm", "url": "https://x.example/rpc" },
  "keyed": { "plugin": "evm", "url": "https://x.example/v3/{{$secret.KEY}}" } } }`

const nothing = (): undefined => undefined

const check = (network: string, params: string, isTrusted: boolean, isRefused: boolean) => {
  const project = makeProject({
    configFile: { uri: "file:///rpc.config.json", text: config },
    env: nothing,
    secret: nothing,
    now: 0,
  })
  const text = `### A\n# @network ${network}\neth_getLogs ${params}\n`
  const refusal = refusalOf(makePlan(analyze(parse(text), project.workspace)), isTrusted)
  if (isRefused) expect(refusal).toMatch(/not trusted/)
  else expect(refusal).toBeUndefined()
}

test("the embedded gateway answers everywhere", () => check("here", "[{}]", false, false))

test.each(["open", "keyed"])("nothing is sent to the network %s", (network) => check(network, "[{}]", false, true))

test("no secret goes into params", () => check("here", '[{ "address": {{$secret.ADDRESS}} }]', false, true))

test.each(["here", "open", "keyed"])("a trusted folder may use the network %s", (network) =>
  check(network, "[{}]", true, false),
)
