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
  const refusal = refusalOf(makePlan(analyze(parse(text), project.workspace)), project, isTrusted)
  if (isRefused) expect(refusal).toMatch(/not trusted/)
  else expect(refusal).toBeUndefined()
}

test.each(["here", "open"])("the network %s needs no key", (network) => check(network, "[{}]", false, false))

test("a key in an address is not read", () => check("keyed", "[{}]", false, true))

test.each(["$secret", "$env"])("nothing of %s goes into params", (kind) =>
  check("here", `[{ "address": {{${kind}.ADDRESS}} }]`, false, true),
)

test("an environment may bring the key", () => {
  const text = `{ "networks": { "main": { "plugin": "evm", "url": "embedded:evm" } },
    "environments": { "prod": { "networks": { "main": { "url": "https://x.example/v3/{{$secret.KEY}}" } } } } }`
  const refused = (environment?: string) => {
    const project = makeProject({
      configFile: { uri: "file:///rpc.config.json", text },
      environment,
      env: nothing,
      secret: nothing,
      now: 0,
    })
    return refusalOf(makePlan(analyze(parse("###\neth_getLogs [{}]\n"), project.workspace)), project, false)
  }
  expect(refused()).toBeUndefined()
  expect(refused("prod")).toMatch(/needs one/)
})

test.each(["here", "open", "keyed"])("a trusted folder may use the network %s", (network) =>
  check(network, "[{}]", true, false),
)
