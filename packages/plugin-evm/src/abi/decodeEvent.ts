/**
 * Decodes a log by the declaration of its event. Nothing is guessed: a log of another event with the same topic, or one
 * that was written wrongly, is refused.
 */
import type { Json } from "@dotrpc/spec"
import type { Hex } from "../schemas/Hex.ts"
import type { Log } from "../schemas/Log.ts"
import { decodeValues } from "./decodeValues.ts"
import type { EventDeclaration } from "./EventDeclaration.ts"

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
  return decodeArguments(event, indexed, data)
}

const decodeArguments = (event: EventDeclaration, topics: ReadonlyArray<Hex>, data: Hex): DecodedEvent | undefined => {
  const inData = event.inputs.filter((input) => !input.indexed)
  const values = decodeValues(inData, data)
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
    const [value] = decodeValues([{ ...parameter, ...shown }], topic) ?? []
    if (value === undefined) return undefined
    args.push({ ...shown, value, hashed: false })
  }
  return { event, args }
}

/** Of these a topic holds only keccak-256. */
export const isHashed = (type: string): boolean => /^(string|bytes|tuple)$|\]$/.test(type)
