import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { defineMethod, defineNetwork, Json, Price, RpcReason, Wire } from "../src/index.ts"

const method = defineMethod({
  plugin: "test",
  name: "test_get",
  summary: "",
  docs: "",
  params: Schema.Tuple([]),
  result: Schema.String,
  price: Price.published(80),
  idempotent: true,
  examples: [],
  render: () => ({ total: 0, columns: [], rows: [] }),
})
const network = defineNetwork({ id: "main", plugin: "test" })
const day = 86_400_000

/** What a server that answers with an error asks to wait, in milliseconds. */
const asked = (body: string, header?: string, status = 429): number | undefined => {
  const reply = { status, headers: () => header, body, now: Date.UTC(2026, 0, 1, 12) }
  const { reason } = Result.getOrThrow(Result.flip(Wire.decodeReply({ method, network, params: [] }, 1, reply)))
  return RpcReason.retryAfterMillis(reason)
}

const body = (message: string, data?: string) =>
  `{"id":1,"error":{"code":429,"message":${JSON.stringify(message)}${data === undefined ? "" : `,"data":${data}`}}}`

const checkHeader = (header: string, expected: number | undefined) =>
  it(`"Retry-After: ${header}" is ${expected}`, () => expect(asked("slow down", header)).toBe(expected))

describe("a header says it in seconds or as a date", () => {
  checkHeader("2", 2_000)
  checkHeader(" 2 ", 2_000)
  checkHeader("0.5", 500)
  checkHeader("0", undefined)
  checkHeader("Thu, 01 Jan 2026 12:00:05 GMT", 5_000)
  checkHeader("Thu, 01 Jan 2026 11:00:00 GMT", undefined)
  checkHeader("Thu, 01 Jan 2099 11:00:00 GMT", day)
  checkHeader("99999999999999999999999", day)
  checkHeader("-5", undefined)
  checkHeader("NaN", undefined)
  checkHeader("soon", undefined)
  checkHeader("", undefined)
})

const checkData = (data: string, expected: number | undefined) =>
  it(`data ${data} is ${expected}`, () => expect(asked(body("slow down", data))).toBe(expected))

describe("data of the error says it in seconds", () => {
  checkData('{"backoff_seconds":30}', 30_000)
  checkData('{"backoff_seconds":30.0}', 30_000)
  checkData('{"backoff_seconds":"1.5"}', 1_500)
  checkData('{"rate":{"backoff_seconds":1.25}}', 1_250)
  checkData('{"backoff_seconds":0.0001}', 1)
  checkData('{"backoff_seconds":1e400}', day)
  checkData('{"backoff_seconds":99999999999999999999}', day)
  checkData('{"backoff_seconds":-30}', undefined)
  checkData('{"backoff_seconds":null}', undefined)
  checkData('{"backoff_seconds":"soon"}', undefined)
  checkData('{"backoff_seconds":[30]}', undefined)
  checkData('"30"', undefined)
})

const checkWords = (message: string, expected: number | undefined) =>
  it(`${JSON.stringify(message)} is ${expected}`, () => expect(asked(body(message))).toBe(expected))

describe("words say it with a unit", () => {
  checkWords("rate limit exceeded, try again in 4ms", 4)
  checkWords("Try again in 1.5 seconds.", 1_500)
  checkWords("please retry after 2s", 2_000)
  checkWords("retry request in 250 milliseconds", 250)
  checkWords("wait 30 seconds", 30_000)
  checkWords("wait for at least 2 minutes", 120_000)
  checkWords("try again in 4m", 240_000)
  checkWords("try again in 4", undefined)
  checkWords("try again later", undefined)
  checkWords("try again in 999999999999 minutes", day)
  checkWords("limited to 10 requests in 1s", undefined)
})

it("the longest of them counts", () => {
  expect(asked(body("try again in 4ms", '{"backoff_seconds":3}'), "2")).toBe(3_000)
  expect(asked(body("try again in 4s", '{"backoff_seconds":3}'), "2")).toBe(4_000)
  expect(asked(body("try again in 4ms", '{"backoff_seconds":3}'), "5")).toBe(5_000)
})

it("a server that is overloaded may say it too, and so may one that did not get the request in time", () => {
  expect(asked("overloaded", "7", 503)).toBe(7_000)
  expect(asked("too slow", "7", 408)).toBe(7_000)
})

it("whatever a server says, the wait is a whole number of milliseconds up to a day, or none", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.json(), (header, message, data) => {
      const millis = asked(body(message, Json.stringify(Json.parse(data))), header)
      expect(millis === undefined || (Number.isInteger(millis) && millis > 0 && millis <= day)).toBe(true)
    }),
  )
})
