/** Simulated calls as rows, one for each. */
import { Json, type RenderContext, Table } from "@dotrpc/spec"

interface Simulated {
  readonly block: Json.JsonObject
  readonly call: Json.Json
}

export const renderCalls = (calls: ReadonlyArray<Simulated>, limit: number, context: RenderContext): Table.Table => ({
  noun: ["call", "calls"],
  total: calls.length,
  columns: [
    { name: "block", align: "right" },
    { name: "outcome" },
    { name: "gas used", align: "right" },
    { name: "logs", align: "right" },
    { name: "returned" },
  ],
  rows: calls.slice(0, limit).map(({ block, call }) => {
    if (!Json.isObject(call)) return ["", "", "", "", ""]
    const { error, gasUsed, logs, returnData, status } = call
    const message = Json.isObject(error) && typeof error.message === "string" ? error.message : undefined
    return [
      numberIn(block.number),
      status === "0x1" ? "success" : (message ?? "failure"),
      numberIn(gasUsed),
      Json.isArray(logs) ? String(logs.length) : "",
      typeof returnData === "string" ? Table.shortening(context)(returnData, 34, 16) : "",
    ]
  }),
})

/** Grouped when it is a quantity, and empty when it is not. */
const numberIn = (value: Json.Json | undefined): string =>
  typeof value === "string" && /^0x[\da-f]{1,64}$/i.test(value) ? Table.groupDigits(BigInt(value)) : ""
