/** The part of an answer that two nodes are compared by. */
import { describe, expect, it } from "vitest"
import { Json } from "@dotrpc/spec"
import { TokenAccounts } from "../src/index.ts"

const [method] = TokenAccounts.plugin.methods

describe("a result that is compared", () => {
  const check = (name: string, result: string, expected: string) =>
    it(name, () => {
      if (method === undefined) throw new Error("there is no method")
      expect(Json.stringify(TokenAccounts.plugin.comparable?.(method, Json.parse(result)) ?? null)).toBe(expected)
    })
  check("is without the slot of the node", '{"context":{"slot":7},"value":5}', '{"value":5}')
  check(
    "has its accounts in the order of their keys",
    '{"context":{"slot":7},"value":[{"pubkey":"b"},{"pubkey":"a"}]}',
    '{"value":[{"pubkey":"a"},{"pubkey":"b"}]}',
  )
  check(
    "keeps the order of what has no key",
    '[{"signature":"b"},{"signature":"a"}]',
    '[{"signature":"b"},{"signature":"a"}]',
  )
  check("is any other JSON as it is", "18446744073709551615", "18446744073709551615")
})
