/** The rules for every golden file: the plugin would send its requests, and understands its replies. */
import { Json, type Method, type Plugin, type RpcRequest, Wire } from "@dotrpc/spec"
import { Result } from "effect"
import type { Check, GoldenFile, Settings } from "../Check.ts"
import { type Exchange, type Golden, noteOf, parseGolden } from "../Golden.ts"
import { checkRender } from "./drawing.ts"
import { type Asked, askedBy, networksFor, replyOf } from "./exchanges.ts"
import { expect, fail, never } from "./expect.ts"
import { checkPages, checkRangeOf } from "./rangeChecks.ts"
import { sameJson } from "./sameJson.ts"
import { show } from "./show.ts"
import { maxVariations, variations } from "./variations.ts"

export const goldenChecks = (plugin: Plugin, file: GoldenFile, settings: Settings): Check => ({
  name: `${file.name}: its requests are as the plugin sends them, its replies are decoded and rendered`,
  run: () => {
    const golden = parseGolden(file.text)
    expect(golden.exchanges.length > 0, "the file has no exchange")
    const networks = networksFor(plugin, settings.networks)
    for (const exchange of golden.exchanges)
      checkExchange(golden, exchange, askedBy(golden, exchange, plugin, networks))
  },
})

const checkExchange = (golden: Golden, exchange: Exchange, asked: Asked): void => {
  const { method, network, request } = asked
  const at = `line ${exchange.line}`
  const expected = noteOf(golden, exchange, "reason")
  const reply = replyOf(exchange, asked)
  if (Result.isFailure(reply)) {
    const { reason } = reply.failure
    expect(reason._tag !== "Malformed", `${at}: ${reason.message}`)
    expect(
      expected === undefined || expected === reason._tag,
      `${at}: the error is classified as ${reason._tag}, not ${expected}`,
    )
    return
  }
  expect(expected === undefined, `${at}: the reply is a result, not an error that means ${expected}`)
  const [issue] = method.issues(request.params, network)
  if (issue !== undefined) fail(`${at}: the params would be refused: ${issue.message}`)
  const params = method.prepare(request.params, network).params
  const sent = Wire.encodeRequest({ ...request, params }, asked.id)
  expect(sameJson(Json.parse(sent), withParams(exchange.request)), `${at}: the plugin sends ${sent}`)
  const { result } = reply.success
  const wrong = method.resultIssue(result)
  if (wrong !== undefined) fail(`${at}: the result at ${wrong.path.join(".") || "its root"}: ${wrong.message}`)
  for (const value of [result, ...variations(result, maxVariations)])
    if (method.resultIssue(value) === undefined) checkRender(method, value)
  checkPages(method, request.params, result)
  checkRangeOf(method, request.params, result)
  checkPermanence(method, request, result)
}

/** A request may leave out params where there are none. */
const withParams = (request: Json.Json): Json.Json => (Json.isObject(request) ? { params: [], ...request } : request)

const checkPermanence = (method: Method, { network, params }: RpcRequest, result: Json.Json): void => {
  if (method.permanence === undefined) return
  const { permanence } = method
  const found = never(`permanence(${show(params)}, …)`, () => permanence(params, result, network))
  const known =
    found === "changing" || found === "forever" || (typeof found === "object" && typeof found.onceFinal === "bigint")
  expect(known, `permanence gave ${String(found)}, which is not a permanence`)
}
