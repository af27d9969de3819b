/**
 * Decodes a log by the declaration of its event. Nothing is guessed: what was decoded must encode to the same bytes
 * again, so a log of another event with the same topic, or one that was written wrongly, is refused.
 */
import { Json } from "@dotrpc/spec"
import * as AbiParameters from "ox/AbiParameters"
import { Result } from "effect"
import type { Hex } from "../schemas/Hex.ts"
import type { Log } from "../schemas/Log.ts"
import type { EventDeclaration, Parameter } from "./EventDeclaration.ts"

export interface DecodedEvent {
  readonly event: EventDeclaration
  readonly args: ReadonlyArray<DecodedArgument>
}

export interface DecodedArgument {
  readonly name: string
  readonly type: string
  /**
   * Integers are exact numbers, addresses and bytes hex in lower case, tuples objects by name.
   */
  readonly value: Json.Json
  /** True when the log holds only keccak-256 of the value, as it does of an indexed text, array or tuple. */
  readonly hashed: boolean
}

/** The arguments of a log, when it is a log of this event. */
export const decodeEvent = (
  event: EventDeclaration,
  { data, topics }: Pick<Log, "data" | "topics">,
): DecodedEvent | undefined => {
  const [first, ...rest] = topics
  if (event.topic !== undefined && first?.toLowerCase() !== event.topic) return undefined
  const indexed = event.topic === undefined ? topics : rest
  if (event.inputs.filter((input) => input.indexed).length !== indexed.length) return undefined
  // The library reports what does not fit by throwing, in its own classes and those of numbers and bytes.
  return Result.getOrUndefined(Result.try(() => decodeArguments(event, indexed, data)))
}

const decodeArguments = (event: EventDeclaration, topics: ReadonlyArray<Hex>, data: Hex): DecodedEvent | undefined => {
  const inData = event.inputs.filter((input) => !input.indexed)
  const values = decodeExactly(inData, data)
  if (values === undefined) return undefined
  const topicOf = topics.values()
  const valueOf = values.values()
  const args: Array<DecodedArgument> = []
  for (const { indexed, name, type, ...parameter } of event.inputs) {
    const shown = { name, type }
    if (!indexed) {
      args.push({ ...shown, value: valueOf.next().value ?? null, hashed: false })
      continue
    }
    const topic = topicOf.next().value ?? "0x"
    if (isHashed(type)) {
      args.push({ ...shown, value: topic.toLowerCase(), hashed: true })
      continue
    }
    const [value] = decodeExactly([{ ...parameter, ...shown }], topic) ?? []
    if (value === undefined) return undefined
    args.push({ ...shown, value, hashed: false })
  }
  return { event, args }
}

const isHashed = (type: string): boolean => /^(string|bytes|tuple)$|\]$/.test(type)

/** The values in the data, which holds nothing else before their end. */
const decodeExactly = (parameters: ReadonlyArray<Parameter>, data: Hex): ReadonlyArray<Json.Json> | undefined => {
  if (parameters.length === 0) return []
  const types = parameters.map(withoutNames)
  const values: ReadonlyArray<unknown> = AbiParameters.decode(types, data)
  const again = AbiParameters.encode(types, [...values])
  if (!data.toLowerCase().startsWith(again)) return undefined
  return parameters.map((parameter, index) => jsonOf(parameter, values[index]))
}

/** Without names every tuple is decoded to an array, whatever it calls its members. */
const withoutNames = ({ components, type }: Parameter): AbiParameters.Parameter =>
  components === undefined ? { type } : { type, components: components.map(withoutNames) }

const jsonOf = ({ components, name, type }: Parameter, value: unknown): Json.Json => {
  if (Array.isArray(value)) {
    const item = /^(.*)\[\d*\]$/.exec(type)?.[1]
    if (item !== undefined) {
      const parameter = { name, type: item, components }
      return value.map((entry) => jsonOf(parameter, entry))
    }
    return Object.fromEntries((components ?? []).map((member, index) => [member.name, jsonOf(member, value[index])]))
  }
  switch (typeof value) {
    case "bigint":
      return Json.numberFromText(String(value))
    case "number":
    case "boolean":
      return value
    default:
      return type === "string" ? String(value) : String(value).toLowerCase()
  }
}
