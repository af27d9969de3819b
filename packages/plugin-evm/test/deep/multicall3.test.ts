/** The reply to many calls that went together is read in a time that grows with it. */
import * as AbiParameters from "ox/AbiParameters"
import { expect, it } from "vitest"
import { EthCall } from "../../src/methods/call.ts"

it("reads a reply of 16 MB in linear time", () => {
  const entries = Array.from({ length: 100 }, () => ({
    success: true,
    returnData: `0x${"ab".repeat(80_000)}` as const,
  }))
  const text = AbiParameters.encode(AbiParameters.from("(bool success, bytes returnData)[]"), [entries])
  const began = performance.now()
  expect(EthCall.multicall?.split(text, 100)?.length).toBe(100)
  expect(performance.now() - began).toBeLessThan(2_000)
})
