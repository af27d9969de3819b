/** Functions and events of an ABI in a script, in words or as JSON, as the signatures of `call(…)` and `event(…)`. */
import { isArray, isObject, NotStatic, shown, type StaticObject, type StaticValue } from "./staticValues.ts"

/** One function or event. */
export interface Declared {
  readonly name: string
  readonly inputs: ReadonlyArray<DeclaredParameter>
  readonly outputs: ReadonlyArray<DeclaredParameter>
}

export interface DeclaredParameter {
  /** With the names of its members where it is a tuple. */
  readonly type: string
  readonly name: string
  readonly isIndexed: boolean
  /** Names of the members of a tuple, in their order. */
  readonly members?: ReadonlyArray<DeclaredParameter> | undefined
}

/** The declarations of a name. */
export const declaredIn = (abi: StaticValue, kind: "function" | "event", name: string): ReadonlyArray<Declared> =>
  (isArray(abi) ? abi : [abi]).flatMap((item) => {
    const declared =
      typeof item === "string" ? inWords(item, kind, name) : isObject(item) ? inJson(item, kind, name) : []
    return declared
  })

/** The only declaration of an item, such as that of `parseAbiItem`. */
export const eventOf = (item: StaticValue): Declared => {
  const found = (isArray(item) ? item : [item]).flatMap((entry) => {
    const name =
      typeof entry === "string"
        ? /^\s*event\s+([\w$]{1,200})/.exec(entry)?.[1]
        : isObject(entry)
          ? entry.get("name")
          : undefined
    return typeof name === "string" ? declaredIn(entry, "event", name) : []
  })
  const [only, ...others] = found
  if (only === undefined || others.length > 0) throw new NotStatic("its event is not a single declaration")
  return only
}

/** `balanceOf(address) returns (uint256)` */
export const signatureOf = ({ inputs, name, outputs }: Declared): string => {
  const text = `${name}${typesOf(inputs)}${outputs.length === 0 ? "" : ` returns ${typesOf(outputs)}`}`
  if (text.length > longestSignature || !/^[\w$ ,[\]()]+$/.test(text))
    throw new NotStatic(`the declaration of ${shown(name)} has no types, such as balanceOf(address)`)
  return text
}

const longestSignature = 2_000

const typesOf = (parameters: ReadonlyArray<DeclaredParameter>): string =>
  `(${parameters
    .map(({ type }) => type)
    .join(", ")
    .replaceAll(", ", ",")})`

const inJson = (item: StaticObject, kind: string, name: string): ReadonlyArray<Declared> =>
  item.get("type") === kind && item.get("name") === name
    ? [{ name, inputs: parametersOf(item.get("inputs"), 0), outputs: parametersOf(item.get("outputs"), 0) }]
    : []

const parametersOf = (list: StaticValue, depth: number): ReadonlyArray<DeclaredParameter> => {
  if (list === undefined) return []
  if (!isArray(list) || depth > deepest) throw new NotStatic("its ABI is not valid")
  return list.map((item) => {
    const type = isObject(item) ? item.get("type") : undefined
    const name = isObject(item) ? item.get("name") : undefined
    if (!isObject(item) || typeof type !== "string") throw new NotStatic("its ABI is not valid")
    const named = { name: typeof name === "string" ? name : "", isIndexed: item.get("indexed") === true }
    if (!type.startsWith("tuple")) return { ...named, type: elementary(type) }
    const members = parametersOf(item.get("components"), depth + 1)
    const inner = members.map((member) => `${member.type} ${member.name}`.trim()).join(",")
    return { ...named, type: `(${inner})${type.slice("tuple".length)}`, members }
  })
}

const deepest = 12

const elementary = (type: string): string => {
  if (/^(?:u?int\d{0,3}|bytes\d{0,2}|address|bool|string)(?:\[\d{0,9}\]){0,8}$/.test(type)) return type
  throw new NotStatic(
    `its ABI has the type ${shown(type)}, which is not one of Solidity's own: write a struct as a tuple`,
  )
}

/** `function balanceOf(address owner) view returns (uint256)` */
const inWords = (text: string, kind: "function" | "event", name: string): ReadonlyArray<Declared> => {
  if (text.length > longestSignature) return []
  const line = text.replace(/\s+/g, " ").trim()
  const start = `${kind} ${name}`
  if (!line.startsWith(start) || !/^ ?\(/.test(line.slice(start.length))) return []
  const open = line.indexOf("(", start.length)
  const close = closingOf(line, open)
  const rest = line.slice(close + 1)
  const returns = /\breturns ?\(/.exec(rest)
  const outputs = returns === null ? -1 : returns.index + returns[0].length - 1
  const end = outputs < 0 ? -1 : closingOf(rest, outputs)
  return [
    {
      name,
      inputs: parametersIn(line.slice(open + 1, close), 0),
      outputs: outputs < 0 ? [] : parametersIn(rest.slice(outputs + 1, end), 0),
    },
  ]
}

/** `address indexed from, (uint256 price, address maker)[] orders` */
const parametersIn = (text: string, depth: number): ReadonlyArray<DeclaredParameter> => {
  if (text.trim() === "") return []
  if (depth > deepest) throw new NotStatic("its ABI is nested too deeply")
  return partsOf(text).map((part) => {
    const tuple = /^(?:tuple ?)?\(/.exec(part)
    if (tuple === null) {
      const [type = "", ...words] = part.split(" ")
      return { type: elementary(type), ...namedBy(words) }
    }
    const open = tuple[0].length - 1
    const close = closingOf(part, open)
    const [suffix = "", ...words] = part.slice(close + 1).split(" ")
    const members = parametersIn(part.slice(open + 1, close), depth + 1)
    const inner = members.map((member) => `${member.type} ${member.name}`.trim()).join(",")
    return { type: `(${inner})${suffix}`, members, ...namedBy(words) }
  })
}

const namedBy = (words: ReadonlyArray<string>) => {
  const name = words.findLast((word) => !/^(?:indexed|memory|calldata|storage|)$/.test(word)) ?? ""
  return { name, isIndexed: words.includes("indexed") }
}

/** Parts between the commas that are in no brackets. */
const partsOf = (text: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let [depth, start] = [0, 0]
  for (let index = 0; index <= text.length; index++) {
    const sign = text[index]
    if (sign === "(") depth++
    if (sign === ")") depth--
    if (index < text.length && (sign !== "," || depth > 0)) continue
    parts.push(text.slice(start, index).trim())
    start = index + 1
  }
  return parts
}

const closingOf = (text: string, open: number): number => {
  let depth = 0
  for (let index = open; index < text.length; index++) {
    if (text[index] === "(") depth++
    if (text[index] === ")" && --depth === 0) return index
  }
  throw new NotStatic("a declaration of its ABI has a bracket that is not closed")
}
