import { describe, expect, it } from "vitest"
import { Gateway } from "../src/index.ts"
import { emptyChain } from "./emptyChain.ts"
import { bodyOf, post } from "./gatewayRequests.ts"

const gateway = Gateway.make({ chain: emptyChain(), batchLimit: 3 })

const check = (title: string, body: string, status: number, expected: string) =>
  it(title, async () => {
    const reply = await post(gateway, body)
    expect([reply.status, reply.body]).toEqual([status, expected])
  })

const refused = (code: number, message: string, id = "null") =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":${JSON.stringify(message)}}}`

const chainId = '"method":"eth_chainId","params":[]'

describe("what is not a request is refused", () => {
  check(
    "empty text",
    "",
    400,
    refused(-32700, "parse error: Expected a JSON value, found the end of the text at offset 0"),
  )
  check(
    "broken JSON",
    '{"jsonrpc":',
    400,
    refused(-32700, "parse error: Expected a JSON value, found the end of the text at offset 11"),
  )
  check("null", "null", 400, refused(-32600, "invalid request: expected an object"))
  check("a number", "5", 400, refused(-32600, "invalid request: expected an object"))
  check("an empty object", "{}", 400, refused(-32600, 'invalid request: jsonrpc must be "2.0"'))
  check(
    "another version",
    `{"jsonrpc":"1.0","id":7,${chainId}}`,
    400,
    refused(-32600, 'invalid request: jsonrpc must be "2.0"', "7"),
  )
  check(
    "no method",
    '{"jsonrpc":"2.0","id":"a"}',
    400,
    refused(-32600, "invalid request: method must be a string", '"a"'),
  )
  check(
    "params that are a string",
    '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":"x"}',
    400,
    refused(-32600, "invalid request: params must be an array or an object", "1"),
  )
  for (const id of ["{}", "[]", "true"])
    check(
      `the id ${id}`,
      `{"jsonrpc":"2.0","id":${id},${chainId}}`,
      400,
      refused(-32600, "invalid request: id must be a number, a string or null"),
    )
  check(
    "a method that does not exist",
    bodyOf("eth_foo"),
    200,
    refused(-32601, "the method eth_foo does not exist/is not available", "1"),
  )
  check(
    "a method of another network",
    bodyOf("l2_getEvents"),
    200,
    refused(-32601, "the method l2_getEvents does not exist/is not available", "1"),
  )
  check(
    "a method name of any length is cut",
    bodyOf("x".repeat(5_000)),
    200,
    refused(-32601, `the method ${"x".repeat(79)}… does not exist/is not available`, "1"),
  )
})

describe("an id comes back as it was sent", () => {
  for (const id of ["0", "-1", "18446744073709551616", "1.0", "1e2", '""', '"é\\n"', "null"])
    check(
      `the id ${id}`,
      `{"jsonrpc":"2.0","id":${id},${chainId}}`,
      200,
      `{"jsonrpc":"2.0","id":${id},"result":"0x7a69"}`,
    )
})

describe("batches", () => {
  check("an empty one is refused", "[]", 400, refused(-32600, "empty batch"))
  check(
    "one that is too large is refused",
    `[1,2,3,4]`,
    400,
    refused(-32600, "batch too large: 4 requests, at most 3 are allowed"),
  )
  check(
    "one request in an array is answered in an array",
    `[${bodyOf("eth_chainId", [], 5)}]`,
    200,
    '[{"jsonrpc":"2.0","id":5,"result":"0x7a69"}]',
  )
  check(
    "what is wrong with one entry does not touch the others",
    `[null,${bodyOf("eth_chainId", [], 2)}]`,
    200,
    `[${refused(-32600, "invalid request: expected an object")},{"jsonrpc":"2.0","id":2,"result":"0x7a69"}]`,
  )
})

describe("a request without id is a notification", () => {
  check("alone, it gets an empty reply", `{"jsonrpc":"2.0",${chainId}}`, 204, "")
  check(
    "in a batch, it gets none",
    `[{"jsonrpc":"2.0",${chainId}},${bodyOf("net_version")}]`,
    200,
    '[{"jsonrpc":"2.0","id":1,"result":"31337"}]',
  )
  check("a batch of nothing else gets an empty reply", `[{"jsonrpc":"2.0",${chainId}}]`, 204, "")
})
