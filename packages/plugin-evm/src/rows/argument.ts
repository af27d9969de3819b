/** Decoded arguments as a person reads them in a cell. */
import { Json, type RenderContext, Table, type TokenUnits } from "@dotrpc/spec"
import type { DecodedArgument, DecodedEvent } from "../abi/decodeEvent.ts"
import { showAmount } from "./amount.ts"

/** How values are shown. */
export interface Showing extends Pick<RenderContext, "label"> {
  /** Shows values whole instead of shortened. */
  readonly whole?: boolean | undefined
  /** The units that amounts are shown in. */
  readonly units?: TokenUnits | undefined
}

/** An argument by itself, shortened unless it is asked for whole: `1,000,000`, `0xf39fd6…b92266`, `"text"`, `[1, 2, … 7 more]`. */
export const showArgument = ({ hashed, type, value }: DecodedArgument, showing: Showing): string =>
  hashed ? `hash ${showValue(value, type, showing)}` : showValue(value, type, showing)

/** An event with all its arguments: `Transfer(from: 0xf39fd6…b92266, value: 1,000,000)`. */
export const showEvent = ({ args, event }: DecodedEvent, showing: Showing): string =>
  `${event.name}(${args.map((argument) => `${argument.name}: ${showArgument(argument, showing)}`).join(", ")})`

/** Whether the values of a type stand best at the right of a column. */
export const isNumeric = (type: string): boolean => /^u?int\d*$/.test(type)

const longestText = 48
const mostItems = 3

/** The type tells text from bytes, which are both strings; inside arrays and tuples their look does. */
export const showValue = (value: Json.Json, type: string, showing: Showing): string => {
  const whole = showing.whole === true
  if (Json.isArray(value)) {
    const items = (whole ? value : value.slice(0, mostItems)).map((item) =>
      showValue(item, type.replace(/\[\d*\]$/, ""), showing),
    )
    const more = value.length - items.length
    return `[${[...items, ...(more === 0 ? [] : [`… ${Table.groupDigits(more)} more`])].join(", ")}]`
  }
  if (Json.isObject(value)) {
    const members = Object.entries(value).map(
      ([name, member]) => `${name}: ${showValue(member, memberType(member), showing)}`,
    )
    return `{${members.join(", ")}}`
  }
  if (typeof value === "number" || typeof value === "bigint")
    return (
      (showing.units === undefined ? undefined : showAmount(value, type, showing.units)) ?? Table.groupDigits(value)
    )
  if (typeof value !== "string") return String(value)
  if (type !== "string") return Table.shortening(showing)(value)
  return JSON.stringify(whole || value.length <= longestText ? value : `${value.slice(0, longestText - 1)}…`)
}

const memberType = (value: Json.Json): string =>
  typeof value === "string" && !/^0x[\da-f]*$/.test(value) ? "string" : ""
