/** The rules for every method. */
import { defineNetwork, Json, type Method, type Network, type Plugin, Price, Wire } from "@dotrpc/spec"
import type { Check, Settings } from "../Check.ts"
import { anyFailure, anyJson, wordsOf } from "./arbitraries.ts"
import { checkRender } from "./drawing.ts"
import { networksFor } from "./exchanges.ts"
import { expect, fail, never } from "./expect.ts"
import { law } from "./law.ts"
import { isCredits } from "./pluginChecks.ts"
import { checkComposite } from "./compositeChecks.ts"
import { checkNarrowing } from "./rangeChecks.ts"
import { show } from "./show.ts"
import { checkSuggestions } from "./suggestionChecks.ts"
import { maxVariations, variations } from "./variations.ts"

export const methodChecks = (plugin: Plugin, method: Method, settings: Settings): ReadonlyArray<Check> => {
  const networks = networksFor(plugin, settings.networks)
  const words = wordsOf(plugin)
  const check = (name: string, run: () => void): Check => ({ name: `${method.name}: ${name}`, run })
  return [
    check("is documented, with an example", () => {
      expect(method.summary.trim() !== "", "the summary is empty")
      expect(!method.summary.includes("\n"), "the summary has more than one line")
      expect(method.docs.trim() !== "", "the docs are empty")
      expect(method.examples.length > 0, "there is no example")
      for (const { title } of method.examples) expect(title.trim() !== "", "an example has no title")
    }),
    check("every example may be sent on some network, and survives the wire", () => {
      for (const { params, title } of method.examples) {
        const found = networks.map((network) => method.issues(params, network))
        const network = networks[found.findIndex((issues) => issues.length === 0)]
        if (network === undefined) return fail(`example "${title}": ${found.at(-1)?.[0]?.message}`)
        sendable(method, params, network)
      }
    }),
    check("params near the examples are refused or can be sent, and nothing throws", () => {
      for (const network of networks) {
        for (const params of method.examples.flatMap((example) => variations(example.params, maxVariations))) {
          const issues = never(`issues(${show(params)})`, () => method.issues(params, network))
          if (issues.length === 0) sendable(method, params, network)
        }
      }
    }),
    check("no params make it throw", () =>
      law(settings, anyJson(words), (params) => {
        for (const { message } of method.issues(params, defineNetwork({ id: "any", plugin: plugin.id })))
          expect(message !== "", "an issue has no message")
      }),
    ),
    check("no result makes it throw, and those it accepts are rendered within the limit", () =>
      law(settings, anyJson(words), (result) => {
        if (method.resultIssue(result) === undefined) checkRender(method, result)
      }),
    ),
    ...(method.range === undefined
      ? []
      : [
          check("its examples can be narrowed to any part of the chain, in any steps", () =>
            checkNarrowing(method, networks),
          ),
        ]),
    ...(method.composite === undefined
      ? []
      : [
          check("makes calls that may be sent, no more than it declares, and ends whatever they return", () =>
            checkComposite(method, networks, settings, words),
          ),
        ]),
    check("no failure of a server makes it throw", () =>
      law(settings, anyFailure(words), (failure) => {
        const reason = method.classify(failure)
        if (reason === undefined) return
        expect(/^RPC-\d{4}$/.test(reason.code), `classify returned something that is not a reason: ${String(reason)}`)
        expect(typeof reason.message === "string" && reason.advice !== "", `${reason._tag} has no message or advice`)
      }),
    ),
    ...(method.suggest === undefined
      ? []
      : [check("suggests values that fit their place, each once", () => checkSuggestions(method))]),
    check("its price is stated for every outcome", () => {
      expect(isCredits(method.price.credits), "the price is not a whole number of credits, 0 or more")
      for (const outcome of Object.keys(Price.defaultSettlePolicy) as ReadonlyArray<Price.Outcome>) {
        const charge = Price.chargeFor(method.settle, method.price.credits, outcome)
        expect(isCredits(charge), `the outcome "${outcome}" is charged ${charge}`)
      }
    }),
  ]
}

/** The params, prepared for this network, are still right, and reading what is sent gives them back. */
const sendable = (method: Method, params: Json.Json, network: Network): void => {
  const prepared = never(`prepare(${show(params)})`, () => method.prepare(params, network)).params
  const [issue] = method.issues(prepared, network)
  if (issue !== undefined) fail(`params ${show(params)} are prepared as ${show(prepared)}, which has: ${issue.message}`)
  const text = Wire.encodeRequest({ method, network, params: prepared }, 1)
  const sent = Json.parse(text)
  expect(Json.stringify(sent) === text, `the wire changes ${text}`)
  const again = method.prepare(prepared, network).params
  expect(Json.stringify(again) === Json.stringify(prepared), `preparing ${show(prepared)} twice gives ${show(again)}`)
}
