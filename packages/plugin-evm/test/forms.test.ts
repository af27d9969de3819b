import { atOnce, inUsualForm, type Json } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { Evm } from "../src/index.ts"
import { decodeRevert } from "../src/abi/decodeRevert.ts"
import { readAddress, readBytes, readBytesOf, readQuantity } from "../src/schemas/forms.ts"
import { hash, log, receipt } from "./samples/values.ts"

const account = "ab".repeat(20)

describe("a value is read in whatever form a node sends it", () => {
  const cases: ReadonlyArray<[what: string, read: (value: unknown) => unknown, sent: unknown, expected: unknown]> = [
    ["a quantity in hex", readQuantity, "0x1B4", "0x1b4"],
    ["a quantity with zeros before it", readQuantity, "0x01", "0x01"],
    ["a quantity as a number", readQuantity, 21_000, "0x5208"],
    ["a quantity as a number of many digits", readQuantity, 2n ** 70n, "0x400000000000000000"],
    ["a quantity in decimal text", readQuantity, "100000000", "0x5f5e100"],
    ["true as a status", readQuantity, true, "0x1"],
    ["false as a status", readQuantity, false, "0x0"],
    ["no quantity: a fraction", readQuantity, 1.5, undefined],
    ["no quantity: less than zero", readQuantity, -1, undefined],
    ["no quantity: nothing", readQuantity, "", undefined],
    ["no quantity: words", readQuantity, "soon", undefined],
    ["no quantity: more than 256 bits", readQuantity, `0x1${"0".repeat(64)}`, undefined],
    ["an address", readAddress, `0x${account.toUpperCase()}`, `0x${account}`],
    ["an address of XDC", readAddress, `xdc${account}`, `0x${account}`],
    ["an address without a prefix", readAddress, account, `0x${account}`],
    ["an address of 32 bytes", readAddress, `0x${"0".repeat(24)}${account}`, `0x${account}`],
    ["no address: none", readAddress, "0x0", undefined],
    ["bytes", readBytes, "0x00FF", "0x00ff"],
    ["no bytes: 0x0", readBytes, "0x0", "0x"],
    ["no bytes: nothing", readBytes, "", "0x"],
    ["no bytes: half of one", readBytes, "0x123", undefined],
    ["no bytes: a word", readBytes, "decade", undefined],
    ["no bytes: what could be base64", readBytes, "AP8=", undefined],
    ["no bytes: a number", readBytes, 1234, undefined],
    ["no address: a number", readAddress, BigInt("12".repeat(20)), undefined],
    ["two bytes", readBytesOf(2), "0x00FF", "0x00ff"],
    ["two bytes without a prefix", readBytesOf(2), "00ff", "0x00ff"],
    ["two bytes in base64", readBytesOf(2), "AP8=", "0x00ff"],
    ["not two bytes: one in base64", readBytesOf(2), "AA==", undefined],
    ["not two bytes: base64 that is cut", readBytesOf(2), "AP8", undefined],
    ["not two bytes: a number", readBytesOf(2), 1234, undefined],
  ]
  it.each(cases)("%s", (_, read, sent, expected) => expect(read(sent)).toBe(expected))

  const long = "ab".repeat(8_000_000)
  it.each([
    ["bytes", `0x${long}`, true],
    ["bytes without a prefix", long, false],
    ["other letters", "z".repeat(16_000_000), false],
  ])("however long: %s", (_, sent, isBytes) => {
    expect(readBytes(sent)?.length).toBe(isBytes ? sent.length : undefined)
    for (const read of [readQuantity, readAddress, readBytesOf(256)]) expect(read(sent)).toBeUndefined()
    expect(decodeRevert(sent, {})).toBeUndefined()
    expect(() => Evm.quantity(sent as `0x${string}`)).toThrow(TypeError)
  })
})

describe("a result is read by its schema", () => {
  const cases: ReadonlyArray<
    [what: string, schema: typeof Evm.GetTransactionReceipt.result, sent: object, expected: object]
  > = [
    [
      "a receipt of numbers",
      Evm.GetTransactionReceipt.result,
      { ...receipt, blockNumber: 16, gasUsed: 21_000, status: true, logs: [{ ...log, logIndex: "3" }] },
      { ...receipt, blockNumber: "0x10", gasUsed: "0x5208", status: "0x1", logs: [{ ...log, logIndex: "0x3" }] },
    ],
    [
      "a receipt whose logs are null",
      Evm.GetTransactionReceipt.result,
      { ...receipt, logs: null },
      { ...receipt, logs: [] },
    ],
    [
      "a root in base64",
      Evm.GetTransactionReceipt.result,
      { ...receipt, root: "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=" },
      { ...receipt, root: hash("ab") },
    ],
    [
      "words and numbers where bytes are expected",
      Evm.GetTransactionReceipt.result,
      {
        ...receipt,
        logs: [
          { ...log, data: "face" },
          { ...log, data: 1234 },
        ],
      },
      {
        ...receipt,
        logs: [
          { ...log, data: "face" },
          { ...log, data: 1234 },
        ],
      },
    ],
  ]
  it.each(cases)("%s", (_, schema, sent, expected) =>
    expect(atOnce(inUsualForm(schema, sent as Json.JsonObject))).toEqual(expected),
  )
  it("keeps the case of what fits beside what does not", () => {
    const sent = { ...log, address: `0x${"Ab".repeat(20)}`, logIndex: 3 } as Json.JsonObject
    expect(atOnce(inUsualForm(Evm.GetLogs.result, [sent, log as Json.JsonObject]))).toEqual([
      { ...sent, logIndex: "0x3" },
      log,
    ])
  })
  it("stays itself where nothing is unusual", () => {
    const sent = { ...receipt, logs: [log] } as Json.JsonObject
    expect(atOnce(inUsualForm(Evm.GetTransactionReceipt.result, sent))).toBe(sent)
  })
})
