/** Where a contract keeps its variables, as Solidity's compiler writes it into artifacts as `storageLayout`. */
import { type Abi, Json } from "@dotrpc/spec"

/** The layouts that artifacts have are items of an ABI of this type. */
export const layoutType = "storageLayout"

export interface StorageLayout {
  /** The last part of `src/Token.sol:Token`. */
  readonly contract: string
  readonly variables: ReadonlyArray<Variable>
  readonly types: ReadonlyMap<string, StorageType>
}

/** A variable of a contract, or a member of a struct, whose slot is then counted from its beginning. */
export interface Variable {
  readonly name: string
  readonly slot: bigint
  /** Bytes from the right end of the slot. */
  readonly offset: number
  /** An id among the types of the layout. */
  readonly type: string
}

export interface StorageType {
  readonly id: string
  /** As Solidity writes it: `mapping(address => uint256)`. */
  readonly label: string
  readonly encoding: "inplace" | "mapping" | "dynamic_array" | "bytes"
  readonly bytes: bigint
  /** Of a mapping: ids. */
  readonly key?: string | undefined
  readonly value?: string | undefined
  /** Of an array: the id of its items. */
  readonly base?: string | undefined
  /** Of a struct. */
  readonly members?: ReadonlyArray<Variable> | undefined
}

/** The layouts among the items of an ABI, in their order. */
export const layoutsOf = (abi: Abi): ReadonlyArray<StorageLayout> => {
  const known = layoutsByAbi.get(abi)
  if (known !== undefined) return known
  const layouts = abi.flatMap((item) => {
    const layout = item.type === layoutType ? readLayout(item) : undefined
    return layout === undefined || "problem" in layout ? [] : [layout]
  })
  layoutsByAbi.set(abi, layouts)
  return layouts
}

/** The `storageLayout` of an artifact as an item of an ABI; `undefined` where it has none, or one without variables. */
export const layoutItem = (
  artifact: Json.JsonObject,
): { readonly item: Json.JsonObject } | { readonly problem: string } | undefined => {
  const { storageLayout } = artifact
  if (!Json.isObject(storageLayout)) return undefined
  const item = { ...storageLayout, type: layoutType }
  const layout = readLayout(item)
  if ("problem" in layout) return layout
  return layout.variables.length === 0 ? undefined : { item }
}

const layoutsByAbi = new WeakMap<Abi, ReadonlyArray<StorageLayout>>()

/** A contract has some hundred of both at most. */
const mostParts = 3_000

const readLayout = (item: Json.JsonObject): StorageLayout | { readonly problem: string } => {
  const { storage } = item
  // A contract without variables has no types: null.
  const types = Object.entries(Json.isObject(item.types) ? item.types : {})
  if (!Json.isArray(storage)) return { problem: '"storageLayout" has no "storage": expected an array of variables' }
  if (storage.length > mostParts || types.length > mostParts)
    return { problem: `"storageLayout" has more than ${mostParts.toLocaleString("en")} parts, the most that are read` }
  const read = new Map<string, StorageType>()
  for (const [id, type] of types) {
    const found = readType(id, type)
    if (found === undefined)
      return { problem: `"storageLayout.types" has ${JSON.stringify(id)} in a form that is not known` }
    read.set(id, found)
  }
  const variables = readVariables(storage)
  if (variables === undefined)
    return { problem: '"storageLayout.storage" has a variable without "label", "slot", "offset" or "type"' }
  const [first] = storage
  const contract = Json.isObject(first) && typeof first.contract === "string" ? first.contract : ""
  return { contract: contract.slice(contract.lastIndexOf(":") + 1), variables, types: read }
}

const readVariables = (list: ReadonlyArray<Json.Json>): ReadonlyArray<Variable> | undefined => {
  const variables = list.flatMap((entry): ReadonlyArray<Variable> => {
    if (!Json.isObject(entry)) return []
    const { label, offset, slot, type } = entry
    const isSound =
      typeof label === "string" &&
      typeof type === "string" &&
      typeof slot === "string" &&
      isInteger(slot) &&
      typeof offset === "number" &&
      Number.isInteger(offset) &&
      offset >= 0 &&
      offset < 32
    return isSound ? [{ name: label, offset, slot: BigInt(slot), type }] : []
  })
  return variables.length === list.length ? variables : undefined
}

const readType = (id: string, value: Json.Json): StorageType | undefined => {
  if (!Json.isObject(value)) return undefined
  const { base, encoding, key, label, members, numberOfBytes } = value
  if (encoding !== "inplace" && encoding !== "mapping" && encoding !== "dynamic_array" && encoding !== "bytes")
    return undefined
  if (typeof label !== "string" || typeof numberOfBytes !== "string" || !isInteger(numberOfBytes)) return undefined
  const read = Json.isArray(members) ? readVariables(members) : undefined
  if (members !== undefined && read === undefined) return undefined
  const text = (part: Json.Json | undefined) => (typeof part === "string" ? part : undefined)
  return {
    id,
    label: label.replace(/^(struct|enum|contract) (?:.*\.)?/, "$1 "),
    encoding,
    bytes: BigInt(numberOfBytes),
    key: text(key),
    value: text(value.value),
    base: text(base),
    members: read,
  }
}

/** No position has more digits, and reading millions of them would take long. */
const isInteger = (text: string): boolean => /^\d{1,78}$/.test(text)
