/** Follows the name of a variable, and keys, indexes and members after it, to a place in storage. */
import { type Abi, Json, nearest, Table } from "@dotrpc/spec"
import { keccak_256 } from "@noble/hashes/sha3.js"
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import * as Result from "effect/Result"
import { encodeArguments } from "./encodeArguments.ts"
import { layoutsOf, type StorageLayout, type StorageType, type Variable } from "./StorageLayout.ts"

/** What stands at a place: a part of a slot, or the beginning of what takes several. */
export interface StoragePlace {
  /** As a person would write it: `orders[77].maker`. */
  readonly name: string
  readonly slot: bigint
  /** Bytes from the right end of the slot. */
  readonly offset: number
  readonly type: StorageType
  readonly layout: StorageLayout
  /** Which 32 bytes of a long text these are. */
  readonly piece?: number | undefined
}

export interface UnfitStep {
  readonly problem: string
  /** Which of the steps it is, counted from 0; the name of the variable when absent. */
  readonly step?: number | undefined
}

/** The place that a name and steps lead to. */
export const placeOf = (
  name: string,
  steps: ReadonlyArray<Json.Json>,
  abi: Abi,
): Result.Result<StoragePlace, UnfitStep> => {
  const found = variableOf(name, abi)
  if (Result.isFailure(found)) return Result.fail({ problem: found.failure })
  let place = found.success
  for (const [index, step] of steps.entries()) {
    const next = follow(place, step)
    if (Result.isFailure(next)) return Result.fail({ problem: next.failure, step: index })
    place = next.success
  }
  return Result.succeed(place)
}

/** What each step after a variable is: `key: address`, `index`, `member`. */
export const stepsAfter = (name: string, abi: Abi): ReadonlyArray<string> => {
  const found = variableOf(name, abi)
  if (Result.isFailure(found)) return []
  const steps: Array<string> = []
  let { type } = found.success
  const { types } = found.success.layout
  // Deeper than anyone nests, as a type may contain itself.
  while (steps.length < 8) {
    if (type.encoding === "mapping") steps.push(`key: ${types.get(type.key ?? "")?.label ?? "key"}`)
    else if (type.base !== undefined) steps.push("index")
    else return type.members === undefined ? steps : [...steps, "member"]
    const next = types.get(type.value ?? type.base ?? "")
    if (next === undefined) return steps
    type = next
  }
  return steps
}

/** Every variable, by its name, or with its contract where several have one of that name. */
export const variablesOf = (abi: Abi): ReadonlyArray<{ readonly name: string; readonly label: string }> => {
  const all = layoutsOf(abi).flatMap(({ contract, types, variables }) =>
    variables.map(({ name, type }) => ({ contract, name, label: types.get(type)?.label ?? "" })),
  )
  const counts = new Map<string, number>()
  for (const { name } of all) counts.set(name, (counts.get(name) ?? 0) + 1)
  return all.map(({ contract, label, name }) => ({
    name: counts.get(name) === 1 ? name : `${contract}.${name}`,
    label,
  }))
}

const variableOf = (text: string, abi: Abi): Result.Result<StoragePlace, string> => {
  const layouts = layoutsOf(abi)
  if (layouts.length === 0)
    return Result.fail(
      'no storage layout is known: name an artifact that has a "storageLayout" with # @abi; forge writes it with --extra-output storageLayout',
    )
  const dot = text.indexOf(".")
  const inContract = layouts.filter(({ contract }) => dot > 0 && contract === text.slice(0, dot))
  const name = inContract.length > 0 ? text.slice(dot + 1) : text
  const found = (inContract.length > 0 ? inContract : layouts).flatMap((layout) => {
    const variable = layout.variables.find((entry) => entry.name === name)
    return variable === undefined ? [] : [{ layout, variable }]
  })
  const [first, ...others] = found
  if (first === undefined) {
    const names = variablesOf(abi).map((variable) => variable.name)
    const meant = nearest(text, names)
    const hint = meant === undefined ? `expected one of ${names.slice(0, 12).join(", ")}` : `did you mean "${meant}"?`
    return Result.fail(`no variable ${text} is in the storage layout; ${hint}`)
  }
  const { layout, variable } = first
  const other = others.find((entry) => !isSamePlace(entry.variable, variable))
  if (other !== undefined)
    return Result.fail(
      `several contracts have a variable ${name}: write "${layout.contract}.${name}" or "${other.layout.contract}.${name}"`,
    )
  return placed(variable, { slot: 0n, layout, name: "" })
}

/** Several artifacts describe one contract, such as it and what is derived from it. */
const isSamePlace = (left: Variable, right: Variable): boolean =>
  left.slot === right.slot && left.offset === right.offset && left.type === right.type

const placed = (
  { name, offset, slot, type }: Variable,
  inside: Pick<StoragePlace, "slot" | "layout" | "name">,
): Result.Result<StoragePlace, string> =>
  Result.map(typeOf(type, inside.layout), (found) => ({
    name: inside.name === "" ? name : `${inside.name}.${name}`,
    slot: wrapped(inside.slot + slot),
    offset,
    type: found,
    layout: inside.layout,
  }))

const follow = (place: StoragePlace, step: Json.Json): Result.Result<StoragePlace, string> => {
  const { layout, name, slot, type } = place
  if (type.encoding === "mapping") return inMapping(place, step)
  if (type.members !== undefined) {
    const member = type.members.find((entry) => entry.name === step)
    if (member !== undefined) return placed(member, { slot, layout, name })
    const names = type.members.map((entry) => entry.name)
    const meant = typeof step === "string" ? nearest(step, names) : undefined
    const hint = meant === undefined ? `expected one of ${names.join(", ")}` : `did you mean "${meant}"?`
    return Result.fail(`${name} has the type ${type.label} and no member ${Json.stringifyStart(step, 60)}; ${hint}`)
  }
  if (type.base === undefined && type.encoding !== "bytes")
    return Result.fail(`${name} has the type ${type.label}: nothing is inside it`)
  const index = typeof step === "number" || typeof step === "bigint" ? BigInt(step) : undefined
  if (index === undefined || index < 0n)
    return Result.fail(
      `${name} has the type ${type.label}: expected an index, 0 or more, found ${Json.stringifyStart(step, 60)}`,
    )
  const at = `${name}[${index}]`
  if (type.encoding === "bytes")
    return Result.succeed({ ...place, name: at, slot: wrapped(hashedSlot(slot) + index), piece: Number(index) })
  return Result.flatMap(typeOf(type.base ?? "", layout), (item) => {
    const length = lengthOf(type)
    if (length !== undefined && index >= length) return Result.fail(`${name} has ${length} items, so none at ${index}`)
    const start = type.encoding === "dynamic_array" ? hashedSlot(slot) : slot
    // Items share a slot where more than one fits into it.
    const shared = item.bytes === 0n ? 1n : 32n / item.bytes
    return shared > 1n
      ? Result.succeed({
          ...place,
          name: at,
          slot: wrapped(start + index / shared),
          offset: Number((index % shared) * item.bytes),
          type: item,
        })
      : Result.succeed({
          ...place,
          name: at,
          slot: wrapped(start + index * ((item.bytes + 31n) / 32n)),
          offset: 0,
          type: item,
        })
  })
}

const inMapping = ({ layout, name, slot, type }: StoragePlace, step: Json.Json): Result.Result<StoragePlace, string> =>
  Result.gen(function* () {
    const key = yield* typeOf(type.key ?? "", layout)
    const value = yield* typeOf(type.value ?? "", layout)
    const bytes = yield* keyBytes(key, step, `the key of ${name}`)
    return {
      name: `${name}[${shownKey(key, step)}]`,
      slot: BigInt(`0x${bytesToHex(keccak_256(concatBytes(bytes, hexToBytes(slot.toString(16).padStart(64, "0")))))}`),
      offset: 0,
      type: value,
      layout,
    }
  })

/** Only text in quotes, so that hex that is text is not taken for bytes. */
const shownKey = ({ label }: StorageType, value: Json.Json): string =>
  typeof value === "string" && label !== "string" ? Table.shorten(value) : Json.stringifyStart(value, 60)

/** Text is hashed as it is, everything else as a word. */
const keyBytes = (key: StorageType, value: Json.Json, place: string): Result.Result<Uint8Array, string> => {
  const type = key.encoding === "bytes" ? key.label : solidityType(key)
  const encoded = Result.mapError(encodeArguments([{ name: place, type }], [value]), ({ problem }) => problem)
  return Result.map(encoded, (word) => {
    if (type === "string") return utf8ToBytes(String(value))
    return hexToBytes(type === "bytes" ? String(value).slice(2) : word.slice(2))
  })
}

/** The type of the ABI that a value in a slot has. What the layout does not say the type of is a number. */
export const solidityType = ({ bytes, id }: StorageType): string => {
  const elementary = /^t_(bool|u?int\d+|bytes\d+)$/.exec(id)?.[1]
  if (elementary !== undefined) return elementary
  if (/^t_(address(_payable)?|contract\(.*)/.test(id)) return "address"
  if (id.startsWith("t_function_external")) return "function"
  return `uint${Number(bytes > 32n ? 32n : bytes) * 8}`
}

/** Of an array of fixed length. */
export const lengthOf = ({ encoding, id }: StorageType): bigint | undefined => {
  const length = encoding === "inplace" ? /\)(\d{1,78})_storage$/.exec(id)?.[1] : undefined
  return length === undefined ? undefined : BigInt(length)
}

const typeOf = (id: string, { types }: StorageLayout): Result.Result<StorageType, string> => {
  const type = types.get(id)
  return type === undefined ? Result.fail(`the storage layout does not have its type ${id}`) : Result.succeed(type)
}

const hashedSlot = (slot: bigint): bigint =>
  BigInt(`0x${bytesToHex(keccak_256(hexToBytes(slot.toString(16).padStart(64, "0"))))}`)

/** After the last slot storage begins again. */
const wrapped = (slot: bigint): bigint => BigInt.asUintN(256, slot)
