/** Values of the ABI as an ABI file declares them: of the arguments of events, functions and errors, and of outputs. */
import { Json, type ParamPath, Table } from "@dotrpc/spec"
import { keccak_256 } from "@noble/hashes/sha3.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import * as Result from "effect/Result"
import type { Hash } from "../schemas/Hex.ts"

/** A type as Solidity writes it, where `tuple` stands for the components. */
export interface Parameter {
  /** As declared, or `arg0` and so on. */
  readonly name: string
  readonly type: string
  readonly components?: ReadonlyArray<Parameter> | undefined
  /** Whether the declaration gives no name. */
  readonly isUnnamed?: boolean | undefined
}

/** A problem in an item of an ABI file. */
export interface Misread {
  /** In words. */
  readonly problem: string
  /** The path to it from the item. */
  readonly path: ParamPath
  /** Whether the type is outside the ABI: libraries use such types in functions that only contracts call. */
  readonly isForeignType?: boolean | undefined
}

/** At the member if it is there with a wrong type; otherwise at the item. */
export const memberMissing = (name: string, member: Json.Json | undefined, problem: string): Misread => ({
  problem,
  path: member === undefined ? [] : [name],
})

/** The parameters of the list that `path` leads to in an item; `place` names them in messages: `inputs[0] of event Transfer`. */
export const readParameters = (
  list: ReadonlyArray<Json.Json>,
  path: ParamPath,
  place: (index: number) => string,
): Result.Result<ReadonlyArray<Parameter>, Misread> =>
  Result.map(
    Result.all(list.map((value, index) => readParameter(value, [...path, index], place(index), index))),
    withDistinctNames,
  )

/** The type as it stands in a signature: `(uint256,address)[]`. */
export const typeText = ({ components, type }: Parameter): string =>
  components === undefined ? type : `(${components.map(typeText).join(",")})${type.slice("tuple".length)}`

/** `Transfer(address,address,uint256)` */
export const signatureText = (name: string, parameters: ReadonlyArray<Parameter>): string =>
  `${name}(${parameters.map(typeText).join(",")})`

/** Keccak-256 of a signature without names and blanks. */
export const hashOf = (signature: string): Hash => `0x${bytesToHex(keccak_256(utf8ToBytes(signature)))}`

/** The type of the items of an array, with the length that is fixed; `undefined` for any other type. */
export const itemOf = (
  parameter: Parameter,
): { readonly item: Parameter; readonly length?: number | undefined } | undefined => {
  const [, type, length] = /^(.*)\[(\d*)\]$/.exec(parameter.type) ?? []
  if (type === undefined) return undefined
  return { item: { ...parameter, type }, length: length === "" ? undefined : Number(length) }
}

const readParameter = (
  value: Json.Json,
  path: ParamPath,
  place: string,
  index: number,
): Result.Result<Parameter, Misread> => {
  if (!Json.isObject(value) || typeof value.type !== "string")
    return Result.fail({ problem: `${place} has no "type": expected a Solidity type such as "address"`, path })
  const type = value.type.replace(/^(u?int)(?=$|\[)/, "$1256")
  const isUnnamed = typeof value.name !== "string" || value.name === ""
  const named = isUnnamed ? { name: `arg${index}`, isUnnamed } : { name: String(value.name) }
  if (!/^tuple(\[\d{0,9}\]){0,16}$/.test(type)) {
    return valueType.test(type)
      ? Result.succeed({ ...named, type })
      : Result.fail({
          problem: `${place} has the type ${JSON.stringify(Table.shorten(value.type, 60, 20))}, which is not a Solidity type`,
          path: [...path, "type"],
          isForeignType: !/^(?:u?int|bytes)\d+(?:\[|$)/.test(type),
        })
  }
  if (!Json.isArray(value.components))
    return Result.fail({
      problem: `${place} is a tuple without "components": expected an array of its members`,
      path,
    })
  return Result.map(
    readParameters(value.components, [...path, "components"], (at) => `components[${at}] of ${place}`),
    (components) => ({ ...named, type, components }),
  )
}

/** Values are kept by name: one that another parameter has already gets a number, so that neither value is lost. */
const withDistinctNames = (parameters: ReadonlyArray<Parameter>): ReadonlyArray<Parameter> => {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return parameters.map((parameter) => {
    let { name } = parameter
    for (let count = counts.get(parameter.name) ?? 2; taken.has(name); count++) {
      name = `${parameter.name}_${count}`
      counts.set(parameter.name, count + 1)
    }
    taken.add(name)
    return name === parameter.name ? parameter : { ...parameter, name }
  })
}

const sizes = Array.from({ length: 32 }, (_, index) => (index + 1) * 8)

const valueType = new RegExp(
  String.raw`^(address|bool|string|function|bytes([1-9]|[12]\d|3[0-2])?|u?int(${sizes.join("|")}))(\[\d{0,9}\]){0,16}$`,
)
