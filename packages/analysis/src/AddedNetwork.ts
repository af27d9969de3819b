/**
 * Adds a network to the text of an `rpc.config.json`: comments, order and layout of everything else stay.
 *
 * Invariant: edits are returned only if the new text reads back with the network as given, and without a new problem.
 */
import type { TextEdit } from "@dotrpc/lang"
import { tokenAt, tokenEnd, tokenKind, tokenStart } from "@dotrpc/lang"
import * as Kind from "@dotrpc/lang/token-kinds"
import { type ArrayNode, jsoncTree, type ObjectNode } from "./internal/jsonc.ts"
import { type NetworkSettings, parseConfig } from "./ProjectConfig.ts"

/** Networks by their ids, as a configuration has them. */
export type Networks = Readonly<Record<string, NetworkSettings>>

/**
 * The edits that add a network after all others. `builtIn` are the networks that a project without `"networks"` has: they are
 * written as well where the text has none, because the first `"networks"` would replace them. `undefined` for a text with an
 * error, and for a name that it already has.
 *
 * @example
 * ```ts
 * const edits = addNetwork(text, "mainnet", { preset: "ethereum", url: "https://node.example/v3/{{$secret.NODE_KEY}}" }, {})
 * ```
 */
export const addNetwork = (
  text: string,
  id: string,
  settings: NetworkSettings,
  builtIn: Networks,
): ReadonlyArray<TextEdit> | undefined => {
  const { config, problems } = parseConfig(text)
  const root = jsoncTree(text)
  if (problems.length > 0 || root === undefined || Object.hasOwn(config.networks ?? {}, id)) return undefined
  const object = root.objectAt(["networks"])
  const edits =
    object === undefined
      ? inserted(text, root, root.objectAt([]), member("networks", { ...builtIn, [id]: settings }))
      : inserted(text, root, object, member(id, settings))
  const changed = parseConfig(applied(text, edits))
  const isThere = JSON.stringify(changed.config.networks?.[id]) === JSON.stringify(settings)
  return changed.problems.length === 0 && isThere ? edits : undefined
}

type Tree = NonNullable<ReturnType<typeof jsoncTree>>

type Written = (indent: string, lineBreak: string) => string

const member =
  (name: string, value: unknown): Written =>
  (indent, lineBreak) =>
    `${JSON.stringify(name)}: ${name === "networks" ? group(value as Networks, indent, lineBreak) : inline(value)}`

/** A member or an item after the last one, laid out as the others are. */
const inserted = (
  text: string,
  { offset, tokens }: Tree,
  node: ObjectNode | ArrayNode | undefined,
  writtenAt: Written,
): ReadonlyArray<TextEdit> => {
  if (node === undefined) return []
  const last = (node.kind === "Array" ? node.items : node.properties).at(-1)
  const close = node.end - 1
  const isBroken = /[\r\n]/.test(text.slice(node.start - offset, node.end - offset))
  const lineBreak = /\r\n|\r|\n/.exec(text)?.[0] ?? "\n"
  const closing = indentAt(text, node.start - offset)
  const indent = (last && ownIndent(text, last.start - offset)) ?? `${closing}  `
  const written = writtenAt(indent, lineBreak)
  // Behind what belongs to the last member: its comma, and comments.
  let comma = false
  let from = node.start + 1
  for (let index = tokenAt(tokens, last?.end ?? from); index < tokens.length; index++) {
    if (tokenStart(tokens, index) >= close) break
    const kind = tokenKind(tokens, index)
    if (tokenEnd(tokens, index) <= (last?.end ?? from)) continue
    if (kind === Kind.Comma) comma = true
    if (kind !== Kind.Whitespace && kind !== Kind.Newline) from = tokenEnd(tokens, index)
  }
  from = Math.max(from, last?.end ?? from) - offset
  const before = isBroken ? lineBreak + indent : " "
  const isLineAfter = /^[ \t]*[\r\n]/.test(text.slice(from))
  const after =
    (comma ? "," : "") + (isBroken ? (isLineAfter ? "" : lineBreak + closing) : last === undefined ? " " : "")
  if (last === undefined || comma) return [{ start: from, end: from, text: before + written + after }]
  const end = last.end - offset
  return end === from
    ? [{ start: from, end: from, text: `,${before}${written}${after}` }]
    : [
        { start: end, end, text: "," },
        { start: from, end: from, text: before + written + after },
      ]
}

/** The white space that a line begins with. */
const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? ""

/** The indent of a member that begins its line. */
const ownIndent = (text: string, start: number): string | undefined => {
  const before = text.slice(lineStart(text, start), start)
  return before.trim() === "" ? before : undefined
}

const lineStart = (text: string, offset: number): number =>
  Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1

const inline = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}: ${inline(inner)}`)
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`
}

const group = (networks: Networks, indent: string, lineBreak: string): string => {
  const lines = Object.entries(networks).map(
    ([id, settings]) => `${indent}  ${JSON.stringify(id)}: ${inline(settings)}`,
  )
  return `{${lineBreak}${lines.join(`,${lineBreak}`)}${lineBreak}${indent}}`
}

const applied = (text: string, edits: ReadonlyArray<TextEdit>): string =>
  edits
    .toSorted((left, right) => right.start - left.start)
    .reduce((current, edit) => current.slice(0, edit.start) + edit.text + current.slice(edit.end), text)

/**
 * The text in which a network has these members. An object is merged member by member, and of a list only the items that are new or
 * gone change, so that comments and members of your own stay. `undefined` for a text with an error, and without the network.
 */
export const changeNetwork = (text: string, id: string, members: NetworkSettings): string | undefined => {
  const path = ["networks", id]
  if (jsoncTree(text)?.objectAt(path) === undefined) return undefined
  const changed = merged(text, path, members)
  return parseConfig(changed).problems.length === 0 ? changed : undefined
}

const merged = (text: string, path: ReadonlyArray<string>, members: object): string =>
  Object.entries(members).reduce((current, [name, value]) => {
    const tree = jsoncTree(current)
    const object = tree?.objectAt(path)
    if (tree === undefined || object === undefined) return current
    const old = object.properties.find(({ key }) => key.value === name)?.value
    if (old === undefined) return applied(current, inserted(current, tree, object, member(name, value)))
    if (old.kind === "Array" && Array.isArray(value)) return withItems(current, [...path, name], value.map(inline))
    if (old.kind === "Object" && typeof value === "object" && value !== null)
      return merged(current, [...path, name], value)
    return applied(current, [{ start: old.start - tree.offset, end: old.end - tree.offset, text: inline(value) }])
  }, text)

/** One item after the other, as each change moves what is behind it. */
const withItems = (text: string, path: ReadonlyArray<string>, items: ReadonlyArray<string>): string => {
  const tree = jsoncTree(text)
  const array = tree?.arrayAt(path)
  if (tree === undefined || array === undefined) return text
  const old = array.items.map(({ end, start }) => text.slice(start - tree.offset, end - tree.offset))
  const gone = old.findIndex((item) => !items.includes(item))
  const added = items.find((item) => !old.includes(item))
  if (gone !== -1) return withItems(applied(text, removed(text, tree, array, gone)), path, items)
  return added === undefined
    ? text
    : withItems(
        applied(
          text,
          inserted(text, tree, array, () => added),
        ),
        path,
        items,
      )
}

/** An item and the comma that it needed; comments beside it stay. */
const removed = (text: string, { offset, tokens }: Tree, { end, items }: ArrayNode, at: number) => {
  const item = items[at]
  if (item === undefined) return []
  const commaIn = (from: number, to: number): number | undefined => {
    for (let index = tokenAt(tokens, from); index < tokens.length && tokenStart(tokens, index) < to; index++)
      if (tokenKind(tokens, index) === Kind.Comma && tokenStart(tokens, index) >= from)
        return tokenStart(tokens, index) - offset
    return undefined
  }
  const [first, behind] = [item.start - offset, item.end - offset]
  const cut = (start: number, to: number): TextEdit => ({ start, end: to, text: "" })
  const comma = commaIn(item.end, items[at + 1]?.start ?? end - 1)
  if (comma !== undefined) {
    const blank = ownIndent(text, first) === undefined ? /^[ \t]*/ : /^[ \t]*(?:(?:\r\n|\r|\n)[ \t]*)?/
    const next = comma + 1 + (blank.exec(text.slice(comma + 1))?.[0].length ?? 0)
    return text.slice(behind, comma).trim() === "" ? [cut(first, next)] : [cut(first, behind), cut(comma, comma + 1)]
  }
  const before = items[at - 1] && commaIn(items[at - 1]?.end ?? 0, item.start)
  if (before === undefined) return [cut(first, behind)]
  return text.slice(before + 1, first).trim() === ""
    ? [cut(before, behind)]
    : [cut(before, before + 1), cut(first, behind)]
}
