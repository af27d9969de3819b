/** Reads a JSON file with comments through the language's own parser, so that every problem has a place. */
import { parse, type ParseResult, type Span, type ValueNode } from "@dotrpc/lang"
import { Json, type ParamPath } from "@dotrpc/spec"
import { keyAt, nodeAt } from "./locate.ts"

export interface JsoncFile {
  readonly value: Json.Json
  readonly problems: ReadonlyArray<Span & { readonly message: string }>
  /** Of a member by its name, or of its value. */
  readonly spanOf: (path: ParamPath, isValue?: boolean) => Span
}

/** The file is read as the params of a call, which is where the language has JSON. */
const before = "###\nread "

export const readJsonc = (text: string): JsoncFile => readingOf(text).file

const fileOf = ({ diagnostics, source, tree }: Parsed): JsoncFile => {
  const problems = diagnostics
    .filter((diagnostic) => diagnostic.severity === "error")
    .map((diagnostic) => ({ message: words[diagnostic.code] ?? diagnostic.message, ...back(diagnostic) }))
  const root = tree.sections[0]?.call?.params
  if (root === undefined) {
    const whole = { start: 0, end: source.length - before.length }
    return { value: {}, problems: [{ message: "expected an object: { … }", ...whole }], spanOf: () => whole }
  }
  return {
    value: read(root, source),
    problems,
    spanOf: (path, isValue = false) => back((isValue ? undefined : keyAt(root, path)) ?? nodeAt(root, path)),
  }
}

/** Messages about calls and expressions do not fit a file that has neither. */
const words: Readonly<Partial<Record<string, string>>> = {
  L003: "a configuration nests at most 500 levels deep; flatten it",
  L002: "unexpected text after the object; remove it",
  L309: "JSON has no hex numbers; write it in decimal",
  L310: "expected a value; a string needs double quotes",
}

export type ObjectNode = Extract<ValueNode, { kind: "Object" }>
export type ArrayNode = Extract<ValueNode, { kind: "Array" }>

/** Where everything is in a text without an error; positions are those in the tree, `offset` further than in the text. */
export const jsoncTree = (text: string) => {
  const { tree } = readingOf(text).parsed
  const root = tree.sections[0]?.call?.params
  if (root === undefined) return undefined
  const at = (path: ParamPath): ValueNode | undefined =>
    path.length === 0 || keyAt(root, path) !== undefined ? nodeAt(root, path) : undefined
  const objectAt = (path: ParamPath): ObjectNode | undefined => {
    const node = at(path)
    return node?.kind === "Object" ? node : undefined
  }
  const arrayAt = (path: ParamPath): ArrayNode | undefined => {
    const node = at(path)
    return node?.kind === "Array" ? node : undefined
  }
  return { arrayAt, objectAt, offset: before.length, tokens: tree.tokens }
}

/** The text between the quotes of a value, and where it is in the file. */
export interface JsoncString extends Span {
  readonly path: ParamPath
}

/** Every string that is a value. A file that is half typed has those that are there. */
export const stringsIn = (text: string): ReadonlyArray<JsoncString> => {
  const { source, tree } = readingOf(text).parsed
  const found: Array<JsoncString> = []
  const visit = (node: ValueNode | undefined, path: ParamPath): void => {
    if (node?.kind === "Array") node.items.forEach((item, index) => visit(item, [...path, index]))
    if (node?.kind === "Object")
      for (const { key, value } of node.properties) visit(value, [...path, stringText(key, source)])
    if (node?.kind !== "String") return
    const closing = node.end - node.start > 1 && source[node.end - 1] === '"' ? 1 : 0
    found.push({ path, ...back({ start: node.start + 1, end: node.end - closing }) })
  }
  visit(tree.sections[0]?.call?.params, [])
  return found
}

interface Parsed extends ParseResult {
  readonly source: string
}

interface Reading {
  readonly text: string
  readonly parsed: Parsed
  readonly file: JsoncFile
}

/** The text that was asked about last is kept: of one file, everything that is wrong is asked for one after the other. */
const readingOf = (text: string): Reading => {
  if (last?.text !== text) {
    const source = before + text
    const parsed = { source, ...parse(source) }
    last = { text, parsed, file: fileOf(parsed) }
  }
  return last
}

let last: Reading | undefined

const back = ({ start, end }: Span): Span => ({
  start: Math.max(0, start - before.length),
  end: Math.max(0, end - before.length),
})

/** Templates in strings are left as text: a configuration fills in `{{$secret.NAME}}` itself. */
const read = (node: ValueNode, source: string): Json.Json => {
  switch (node.kind) {
    case "Object":
      return Object.fromEntries(
        node.properties.map((property) => [
          stringText(property.key, source),
          property.value === undefined ? null : read(property.value, source),
        ]),
      )
    case "Array":
      return node.items.map((item) => read(item, source))
    case "String":
      return stringText(node, source)
    case "Number":
      return Json.numberFromText(node.text)
    case "Boolean":
      return node.value
    case "Template":
      return source.slice(node.start, node.end)
    case "Null":
    case "Error":
      return null
  }
}

const stringText = (node: Extract<ValueNode, { kind: "String" }>, source: string): string =>
  node.value ??
  node.parts.map((part) => (part.kind === "Text" ? part.value : source.slice(part.start, part.end))).join("")
