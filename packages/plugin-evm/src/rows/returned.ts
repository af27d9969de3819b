/** What a contract returned, as rows: by the declared outputs of the function, else as words of 32 bytes. */
import { explorerPage, formatUnits, Json, type RenderContext, Table } from "@dotrpc/spec"
import { type DecodedOutput, decodeReturned, type DecodedReturn } from "../abi/decodeCall.ts"
import { itemOf, type Parameter, typeText } from "../abi/Parameter.ts"
import type { Data } from "../schemas/Hex.ts"
import { isNumeric, showValue } from "./argument.ts"
import { inWords, renderData } from "./values.ts"

export const renderReturned = (data: Data, limit: number, context: RenderContext): Table.Table => {
  const decoded = decodeReturned(data, context)
  return decoded === undefined ? renderWords(data, limit, context) : renderDecoded(decoded, limit, context)
}

const renderDecoded = ({ outputs }: DecodedReturn, limit: number, context: RenderContext): Table.Table => {
  const [only, ...others] = outputs
  if (only === undefined || others.length > 0)
    return table(outputs, limit, context, outputs.map((output) => namedValue(output, context)).join(" · "))
  const { parameter, value } = only
  const array = itemOf(parameter)
  if (array !== undefined && Json.isArray(value)) return listTable(array.item, value, limit, context)
  if (parameter.components !== undefined && Json.isObject(value)) {
    const members = membersOf(parameter.components, value)
    return table(members, limit, context, members.map((member) => namedValue(member, context)).join(" · "))
  }
  return table(
    [only],
    limit,
    context,
    `${showValue(value, parameter.type, { ...context, whole: true })} · ${typeText(parameter)}`,
  )
}

/** One row for each value: its name, its type and what it is. */
const table = (
  values: ReadonlyArray<DecodedOutput>,
  limit: number,
  context: RenderContext,
  headline: string,
): Table.Table => {
  const shown = values.slice(0, limit)
  return {
    total: values.length,
    columns: [{ name: "output" }, { name: "type" }, { name: "value", decoded: true }],
    rows: shown.map(({ parameter, value }) => [
      // The name of the only one would say nothing.
      parameter.isUnnamed === true && values.length === 1 ? "" : parameter.name,
      typeText(parameter),
      showValue(value, parameter.type, {
        ...context,
        whole: context.whole === true || !Json.isArray(value),
      }),
    ]),
    links: linksOf(shown, context, (link) => [undefined, undefined, link]),
    headline,
  }
}

/** One row for each item of an array; the members of structs stand in columns. */
const listTable = (
  item: Parameter,
  values: ReadonlyArray<Json.Json>,
  limit: number,
  context: RenderContext,
): Table.Table => {
  const shown = values.slice(0, limit)
  const members = item.components ?? [{ ...item, name: "value" }]
  const cells = shown.map((value) =>
    item.components !== undefined && Json.isObject(value)
      ? membersOf(item.components, value)
      : [{ parameter: item, value }],
  )
  return {
    noun: ["item", "items"],
    total: values.length,
    columns: [
      { name: "item", align: "right" },
      ...members.map(({ name, type }) => ({
        name,
        decoded: true as const,
        ...(isNumeric(type) ? { align: "right" as const } : {}),
      })),
    ],
    rows: cells.map((row, index) => [
      String(index),
      ...row.map(({ parameter, value }) => showValue(value, parameter.type, context)),
    ]),
    links:
      context.network?.explorer === undefined
        ? undefined
        : cells.map((row) => [undefined, ...row.map((cell) => linkOf(cell, context))]),
  }
}

const membersOf = (components: ReadonlyArray<Parameter>, value: Json.JsonObject): ReadonlyArray<DecodedOutput> =>
  components.map((parameter) => ({ parameter, value: value[parameter.name] ?? null }))

const namedValue = ({ parameter, value }: DecodedOutput, context: RenderContext): string => {
  const shown = showValue(value, parameter.type, context)
  return parameter.isUnnamed === true ? shown : `${parameter.name}: ${shown}`
}

const linkOf = ({ parameter, value }: DecodedOutput, { network }: RenderContext): string | undefined =>
  parameter.type === "address" && typeof value === "string" ? explorerPage(network, "address", value) : undefined

const linksOf = (
  values: ReadonlyArray<DecodedOutput>,
  context: RenderContext,
  row: (link: string | undefined) => ReadonlyArray<string | undefined>,
): Table.Table["links"] =>
  context.network?.explorer === undefined ? undefined : values.map((value) => row(linkOf(value, context)))

/** The bytes as they are, which most often are words. */
const renderWords = (data: Data, limit: number, { units }: RenderContext): Table.Table => {
  const words = data.length > 2 && (data.length - 2) % 64 === 0 ? (data.slice(2).match(/.{64}/g) ?? []) : []
  if (words.length === 0)
    return data === "0x" ? inWords("0 bytes: no code there, or nothing returned") : renderData(data)
  const [first = ""] = words
  const amount = units === undefined ? "" : `${formatUnits(BigInt(`0x${first}`), units)} · `
  return {
    total: words.length,
    columns: [{ name: "word", align: "right" }, { name: "hex" }, { name: "decimal", align: "right" }],
    rows: words
      .slice(0, limit)
      .map((word, index) => [String(index), `0x${word}`, Table.groupDigits(BigInt(`0x${word}`))]),
    headline:
      words.length === 1
        ? `${amount}${Table.groupDigits(BigInt(`0x${first}`))} · 0x${BigInt(`0x${first}`).toString(16)}`
        : `${words.length} words · ${Table.shorten(data, 34, 16)}`,
  }
}
