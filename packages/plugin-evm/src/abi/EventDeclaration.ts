/** An event as an ABI declares it: its topic, and its arguments in order. */
import { type Abi, Json } from "@dotrpc/spec"
import * as Result from "effect/Result"
import type { Hash } from "../schemas/Hex.ts"
import { hashOf, memberMissing, type Misread, type Parameter, readParameters, signatureText } from "./Parameter.ts"

export interface EventDeclaration {
  readonly name: string
  /** `Transfer(address,address,uint256)`. */
  readonly signature: string
  /** What the first topic of its logs is; absent on an anonymous event. */
  readonly topic?: Hash | undefined
  readonly inputs: ReadonlyArray<EventInput>
}

export interface EventInput extends Parameter {
  readonly indexed: boolean
}

/** The events among the items of an ABI. Items that are not an event, or not a sound one, have none. */
export const eventsOf = (abi: Abi): ReadonlyArray<EventDeclaration> => {
  const known = eventsByAbi.get(abi)
  if (known !== undefined) return known
  const events = abi.flatMap((item) => (isEvent(item) ? Result.getOrElse(readEvent(item), () => []) : []))
  eventsByAbi.set(abi, events)
  return events
}

export const isEvent = (item: Json.Json): item is Json.JsonObject => Json.isObject(item) && item.type === "event"

/** The event of an item, or what is wrong with it. */
export const readEvent = (item: Json.JsonObject): Result.Result<EventDeclaration, Misread> => {
  const { anonymous, inputs, name } = item
  if (typeof name !== "string" || name === "")
    return Result.fail(memberMissing("name", item.name, '"name" is missing: expected the name of the event'))
  if (!Json.isArray(inputs))
    return Result.fail(memberMissing("inputs", inputs, `"inputs" of event ${name} is missing: expected an array`))
  const read = readParameters(inputs, ["inputs"], (index) => `inputs[${index}] of event ${name}`)
  return Result.map(read, (parameters) => {
    const signature = signatureText(name, parameters)
    return {
      name,
      signature,
      ...(anonymous === true ? {} : { topic: hashOf(signature) }),
      inputs: parameters.map((parameter, index) => {
        const input = inputs[index]
        return { ...parameter, indexed: Json.isObject(input) && input.indexed === true }
      }),
    }
  })
}

const eventsByAbi = new WeakMap<Abi, ReadonlyArray<EventDeclaration>>()
