/**
 * Values of a script that are known without running it: literals, `const` names, variables of the environment and a few functions.
 *
 * Invariant: reading values takes time in proportion to the script, however often its names mention each other.
 */
import {
  bare,
  memberName,
  nameOf,
  nodeIn,
  nodesIn,
  nodesOf,
  plainIn,
  type PlacedNode,
  type ScriptNode,
} from "./script.ts"

/** A value as JavaScript has it; an object is a map, which has no member that nobody wrote. */
export type StaticValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | ReadonlyArray<StaticValue>
  | StaticObject
export interface StaticObject extends ReadonlyMap<string, StaticValue> {}

/** Ends the reading of one call, with the reason. It never leaves the reader of a script. */
export class NotStatic extends Error {
  override readonly name = "NotStatic"
}

/** What a name stands for. */
export type Binding =
  | { readonly kind: "const"; readonly value: ScriptNode }
  | { readonly kind: "import"; readonly imported: string; readonly from: string }
  | { readonly kind: "unknown"; readonly reason: string }

/** The values of one script. */
export class StaticValues {
  readonly nodes: ReadonlyArray<PlacedNode>
  readonly #bindings: ReadonlyMap<string, Binding>
  readonly #known = new Map<ScriptNode, StaticValue>()
  readonly #open = new Set<ScriptNode>()
  #left = mostWork

  constructor(program: ScriptNode) {
    this.nodes = nodesOf(program)
    this.#bindings = bindingsOf(this.nodes)
  }

  bindingOf(name: string): Binding | undefined {
    return this.#bindings.get(name)
  }

  /** The name by which a library exports what a name of the script stands for; the name itself where it is not imported. */
  importedName(name: string): string | undefined {
    const binding = this.#bindings.get(name)
    if (binding === undefined) return name
    return binding.kind === "import" ? binding.imported : undefined
  }

  /** Counts work that grows with values, and refuses more of it than a script of requests needs. */
  spend(amount: number): void {
    this.#left -= amount
    if (this.#left < 0) throw new NotStatic("the values of this script are too large")
  }

  /** Throws {@link NotStatic} where the value is not known. */
  valueOf(written: ScriptNode, depth = 0): StaticValue {
    if (depth > deepest) throw new NotStatic("its values are nested too deeply")
    this.spend(1)
    const node = bare(written)
    switch (node.type) {
      case "Literal":
        return literalOf(node)
      case "TemplateLiteral":
        return this.#template(node, depth)
      case "Identifier":
        return this.#named(node, depth)
      case "ArrayExpression":
        return nodesIn(node, "elements").map((element) =>
          element === undefined ? undefined : this.valueOf(element, depth + 1),
        )
      case "ObjectExpression":
        return this.#object(node, depth)
      case "UnaryExpression":
        return this.#negative(node, depth)
      case "MemberExpression":
        return this.#member(node, depth)
      case "LogicalExpression":
        return this.#either(node, depth)
      case "CallExpression":
        return this.#called(node, depth)
      default:
        throw new NotStatic(`${wordsFor[node.type] ?? "an expression"} is not known before the script runs`)
    }
  }

  #template(node: ScriptNode, depth: number): string {
    const literals = nodesIn(node, "quasis").map((part) => {
      const value: unknown = part === undefined ? undefined : plainIn(part, "value")
      const cooked: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "cooked") : undefined
      return typeof cooked === "string" ? cooked : ""
    })
    const values = nodesIn(node, "expressions").map((part) =>
      part === undefined ? "" : textOf(this.valueOf(part, depth + 1)),
    )
    const text = literals.map((part, index) => part + (values[index] ?? "")).join("")
    this.spend(text.length)
    // Braces beside the name of a variable would be part of it.
    const hasNames = values.some((value) => value.includes("{{"))
    if (hasNames ? literals.some((part) => /[{}]/.test(part)) : text.includes("{{")) throw new NotStatic(bracesAreNames)
    return text
  }

  #named(node: ScriptNode, depth: number): StaticValue {
    const name = nameOf(node) ?? ""
    const binding = this.#bindings.get(name)
    if (binding === undefined) {
      if (name === "undefined") return undefined
      throw new NotStatic(`${shown(name)} is not defined in this script`)
    }
    if (binding.kind === "unknown") throw new NotStatic(`${shown(name)} ${binding.reason}`)
    if (binding.kind === "import") {
      const known = binding.from === "viem" ? constants.get(binding.imported) : undefined
      if (known !== undefined) return known
      throw new NotStatic(`${shown(name)} is imported`)
    }
    if (this.#known.has(binding.value)) return this.#known.get(binding.value)
    if (this.#open.has(binding.value)) throw new NotStatic(`${shown(name)} is defined by itself`)
    this.#open.add(binding.value)
    try {
      const value = this.valueOf(binding.value, depth + 1)
      this.#known.set(binding.value, value)
      return value
    } finally {
      this.#open.delete(binding.value)
    }
  }

  #object(node: ScriptNode, depth: number): StaticObject {
    const members = new Map<string, StaticValue>()
    for (const property of nodesIn(node, "properties")) {
      if (property?.type !== "Property" || plainIn(property, "kind") !== "init")
        throw new NotStatic("an object with ... or accessors is not known before the script runs")
      const key = nodeIn(property, "key")
      const value = nodeIn(property, "value")
      if (key === undefined || value === undefined) throw new NotStatic("an object has no value for a name")
      const isName = plainIn(property, "computed") !== true && key.type === "Identifier"
      const name = isName ? (nameOf(key) ?? "") : textOf(this.valueOf(key, depth + 1))
      members.set(name, this.valueOf(value, depth + 1))
    }
    return members
  }

  #negative(node: ScriptNode, depth: number): StaticValue {
    const argument = nodeIn(node, "argument")
    const value = argument === undefined ? undefined : this.valueOf(argument, depth + 1)
    if (plainIn(node, "operator") === "-" && (typeof value === "number" || typeof value === "bigint")) return -value
    throw new NotStatic("an expression is not known before the script runs")
  }

  #member(node: ScriptNode, depth: number): StaticValue {
    const name = memberName(node)
    const object = nodeIn(node, "object")
    if (name === undefined || object === undefined)
      throw new NotStatic("a member of a value is not known before the script runs")
    if (isEnvironment(bare(object))) {
      if (/^[A-Za-z_]\w*$/.test(name)) return `{{$env.${name}}}`
      throw new NotStatic("the name of an environment variable has characters other than letters, digits and _")
    }
    const value = this.valueOf(object, depth + 1)
    if (isObject(value) && value.has(name)) return value.get(name)
    if (isArray(value) && /^\d{1,6}$/.test(name) && Number(name) < value.length) return value[Number(name)]
    throw new NotStatic(`its member ${shown(name)} is not known before the script runs`)
  }

  /** `process.env.URL ?? "http://localhost:8545"`: what is set goes first. */
  #either(node: ScriptNode, depth: number): StaticValue {
    const left = nodeIn(node, "left")
    const value = left === undefined ? undefined : this.valueOf(left, depth + 1)
    if (plainIn(node, "operator") !== "&&" && typeof value === "string" && value !== "") return value
    throw new NotStatic("a condition is not known before the script runs")
  }

  #called(node: ScriptNode, depth: number): StaticValue {
    const callee = nodeIn(node, "callee")
    const name = nameOf(callee === undefined ? undefined : bare(callee))
    const imported = name === undefined ? undefined : this.importedName(name)
    const known = imported === undefined ? undefined : functions.get(imported)
    if (known === undefined)
      throw new NotStatic(
        name === undefined
          ? "the result of a function is not known before the script runs"
          : `the result of ${shown(name)} is not known before the script runs`,
      )
    return known(
      nodesIn(node, "arguments").map((part) => (part === undefined ? undefined : this.valueOf(part, depth + 1))),
    )
  }
}

export const isObject = (value: StaticValue): value is StaticObject => value instanceof Map

export const isArray = (value: StaticValue): value is ReadonlyArray<StaticValue> => Array.isArray(value)

/** A name of a script in a message. */
export const shown = (name: string): string => (/^[\w$]{1,40}$/.test(name) ? name : "a name")

/** Nodes and characters of values of one script. */
const mostWork = 4_000_000

const deepest = 60

const bracesAreNames = "a string contains {{, which begins an expression here"

const literalOf = (node: ScriptNode): StaticValue => {
  const digits = plainIn(node, "bigint")
  // `1_000n` has its digits only.
  if (typeof digits === "string") return bigintOf(digits.replaceAll("_", ""))
  const value = plainIn(node, "value")
  if (typeof value === "string" && value.includes("{{")) throw new NotStatic(bracesAreNames)
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null)
    if (plainIn(node, "regex") === undefined) return value
  throw new NotStatic("a regular expression is not a value of a request")
}

/** Digits of larger numbers would take long to read, and are not a number of a chain. */
const bigintOf = (digits: string): bigint => {
  if (!/^(?:\d{1,100}|0x[\da-f]{1,80}|0b[01]{1,260}|0o[0-7]{1,90})$/i.test(digits))
    throw new NotStatic("a number is larger than 256 bits, or not a whole number")
  return BigInt(digits)
}

const textOf = (value: StaticValue): string => {
  if (typeof value === "string") return value
  if (typeof value === "number" || typeof value === "bigint") return String(value)
  throw new NotStatic("a part of a string is not known before the script runs")
}

const isEnvironment = (node: ScriptNode): boolean => {
  const object = nodeIn(node, "object")
  return memberName(node) === "env" && object !== undefined && nameOf(object) === "process"
}

const wordsFor: Readonly<Record<string, string>> = {
  ArrowFunctionExpression: "a function",
  FunctionExpression: "a function",
  SpreadElement: "a list with ...",
  ConditionalExpression: "a condition",
  BinaryExpression: "a calculation",
}

/** What viem exports and snippets use most. */
const constants: ReadonlyMap<string, StaticValue> = new Map<string, StaticValue>([
  ["zeroAddress", `0x${"0".repeat(40)}`],
  [
    "erc20Abi",
    [
      "event Approval(address indexed owner, address indexed spender, uint256 value)",
      "event Transfer(address indexed from, address indexed to, uint256 value)",
      "function allowance(address owner, address spender) returns (uint256)",
      "function balanceOf(address account) returns (uint256)",
      "function decimals() returns (uint8)",
      "function name() returns (string)",
      "function symbol() returns (string)",
      "function totalSupply() returns (uint256)",
    ],
  ],
])

/** `parseUnits("1.5", 6)` is 1500000. */
const units = (value: StaticValue, decimals: StaticValue): bigint => {
  const [, sign = "", whole = "", fraction = ""] =
    typeof value === "string" ? (/^(-?)(\d{1,60})(?:\.(\d{1,60}))?$/.exec(value) ?? []) : []
  if (whole === "" || typeof decimals !== "number" || !Number.isInteger(decimals) || decimals < 0 || decimals > 36)
    throw new NotStatic("an amount is not written in digits")
  if (fraction.length > decimals) throw new NotStatic("an amount has more decimals than its unit")
  const amount = BigInt(whole + fraction.padEnd(decimals, "0"))
  return sign === "" ? amount : -amount
}

/** Functions whose result is known. An ABI in words stays a list of its words. */
const functions: ReadonlyMap<string, (args: ReadonlyArray<StaticValue>) => StaticValue> = new Map<
  string,
  (args: ReadonlyArray<StaticValue>) => StaticValue
>([
  ["parseEther", ([value]) => units(value, 18)],
  ["parseGwei", ([value]) => units(value, 9)],
  ["parseUnits", ([value, decimals]) => units(value, decimals)],
  ["parseAbi", ([lines]) => lines],
  ["parseAbiItem", ([line]) => line],
  ["getAddress", ([value]) => value],
  ["BigInt", ([value]) => bigintOf(textOf(value))],
  ["numberToHex", ([value]) => hexOf(value)],
])

/** A whole number as the wire has it. */
export const hexOf = (value: StaticValue): string => {
  const isWhole = typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value))
  if (!isWhole || value < 0) throw new NotStatic("a whole number, 0 or more, is not known before the script runs")
  return `0x${value.toString(16)}`
}

/** Names with one meaning in the script. A name that is defined twice may mean either. */
const bindingsOf = (nodes: ReadonlyArray<PlacedNode>): ReadonlyMap<string, Binding> => {
  const bindings = new Map<string, Binding>()
  const add = (name: string | undefined, binding: Binding) => {
    if (name === undefined) return
    const isTaken = bindings.has(name)
    bindings.set(name, isTaken ? { kind: "unknown", reason: "is defined more than once in this script" } : binding)
  }
  const constants = new Set(
    nodes.flatMap(({ node }) =>
      node.type === "VariableDeclaration" && plainIn(node, "kind") === "const" ? nodesIn(node, "declarations") : [],
    ),
  )
  const runtime: Binding = { kind: "unknown", reason: "is not known before the script runs" }
  for (const { node } of nodes) {
    if (node.type === "VariableDeclarator") {
      const [id, value] = [nodeIn(node, "id"), nodeIn(node, "init")]
      const isKnown = constants.has(node) && id?.type === "Identifier" && value !== undefined
      if (isKnown) add(nameOf(id), { kind: "const", value })
      else for (const name of namesOfPattern(id)) add(name, runtime)
    } else if (node.type === "ImportDeclaration") {
      const source = nodeIn(node, "source")
      const from = source === undefined ? "" : String(plainIn(source, "value"))
      for (const specifier of nodesIn(node, "specifiers")) {
        if (specifier === undefined) continue
        const imported = nameOf(nodeIn(specifier, "imported")) ?? ""
        add(nameOf(nodeIn(specifier, "local")), { kind: "import", imported, from })
      }
    } else if (/Function/.test(node.type)) {
      if (node.type === "FunctionDeclaration") add(nameOf(nodeIn(node, "id")), runtime)
      for (const param of nodesIn(node, "params")) for (const name of namesOfPattern(param)) add(name, runtime)
    } else if (node.type === "CatchClause") for (const name of namesOfPattern(nodeIn(node, "param"))) add(name, runtime)
  }
  return bindings
}

/** Names that a pattern binds, such as `{ a, b: [c] }`. */
const namesOfPattern = (pattern: ScriptNode | undefined): ReadonlyArray<string> => {
  const names: Array<string> = []
  const waiting: Array<ScriptNode | undefined> = [pattern]
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (node === undefined) continue
    const name = nameOf(node)
    if (name !== undefined) names.push(name)
    for (const inner of ["left", "argument", "value", "parameter"]) waiting.push(nodeIn(node, inner))
    for (const list of ["elements", "properties"]) for (const item of nodesIn(node, list)) waiting.push(item)
  }
  return names
}
