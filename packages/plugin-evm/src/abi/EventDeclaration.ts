/** An event as an ABI declares it: its topic, and its arguments in order. */
import type { Abi, Json } from "@dotrpc/spec"
import { Json as JsonValue } from "@dotrpc/spec"
import { keccak_256 } from "@noble/hashes/sha3.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Result } from "effect"
import type { Hash } from "../schemas/Hex.ts"

export interface EventDeclaration {
  readonly name: string
  /** `Transfer(address,address,uint256)`. */
  readonly signature: string
  /** What the first topic of its logs is; absent on an anonymous event. */
  readonly topic?: Hash | undefined
  readonly inputs: ReadonlyArray<EventInput>
}

/** A value of the ABI: a type as Solidity writes it, where `tuple` stands for the components. */
export interface Parameter {
  readonly name: string
  readonly type: string
  readonly components?: ReadonlyArray<Parameter> | undefined
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

export const isEvent = (item: Json.Json): item is Json.JsonObject => JsonValue.isObject(item) && item.type === "event"

/** The event of an item, or in words what is wrong with it. */
export const readEvent = (item: Json.JsonObject): Result.Result<EventDeclaration, string> => {
  const { anonymous, inputs, name } = item
  if (typeof name !== "string" || name === "") return Result.fail('"name" is missing: expected the name of the event')
  if (!JsonValue.isArray(inputs)) return Result.fail(`"inputs" of event ${name} is missing: expected an array`)
  const read = Result.all(
    inputs.map((input, index) =>
      Result.map(readParameter(input, `inputs[${index}] of event ${name}`, index), (parameter): EventInput => ({
        ...parameter,
        indexed: JsonValue.isObject(input) && input.indexed === true,
      })),
    ),
  )
  return Result.map(read, (parameters) => {
    const signature = `${name}(${parameters.map(typeText).join(",")})`
    return {
      name,
      signature,
      ...(anonymous === true ? {} : { topic: topicOf(signature) }),
      inputs: parameters,
    }
  })
}

/** Keccak-256 of a signature without names and blanks. */
export const topicOf = (signature: string): Hash => `0x${bytesToHex(keccak_256(utf8ToBytes(signature)))}`

/** The type as it stands in a signature: `(uint256,address)[]`. */
export const typeText = ({ components, type }: Parameter): string =>
  components === undefined ? type : `(${components.map(typeText).join(",")})${type.slice("tuple".length)}`

const eventsByAbi = new WeakMap<Abi, ReadonlyArray<EventDeclaration>>()

const readParameter = (value: Json.Json, place: string, index: number): Result.Result<Parameter, string> => {
  if (!JsonValue.isObject(value) || typeof value.type !== "string")
    return Result.fail(`${place} has no "type": expected a Solidity type such as "address"`)
  const type = value.type.replace(/^(u?int)(?=$|\[)/, "$1256")
  const name = typeof value.name === "string" && value.name !== "" ? value.name : `arg${index}`
  if (!/^tuple(\[\d*\])*$/.test(type)) {
    return valueType.test(type)
      ? Result.succeed({ name, type })
      : Result.fail(`${place} has the type ${JSON.stringify(value.type)}, which is not one of Solidity's`)
  }
  if (!JsonValue.isArray(value.components))
    return Result.fail(`${place} is a tuple without "components": expected an array of its members`)
  const components = value.components.map((member, at) => readParameter(member, `components[${at}] of ${place}`, at))
  return Result.map(Result.all(components), (members) => ({ name, type, components: members }))
}

const sizes = Array.from({ length: 32 }, (_, index) => (index + 1) * 8)

const valueType = new RegExp(
  String.raw`^(address|bool|string|function|bytes([1-9]|[12]\d|3[0-2])?|u?int(${sizes.join("|")}))(\[\d*\])*$`,
)
