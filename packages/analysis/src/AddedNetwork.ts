/**
 * Adds a network to the text of an `rpc.config.json`: comments, order and layout of everything else stay.
 *
 * Invariant: edits are returned only if the new text reads back with the network as given, and without a new problem.
 */
import type { TextEdit } from "@dotrpc/lang"
import { tokenAt, tokenEnd, tokenKind, tokenStart } from "@dotrpc/lang"
import * as Kind from "@dotrpc/lang/token-kinds"
import { jsoncTree, type ObjectNode } from "./internal/jsonc.ts"
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
      ? inserted(text, root, root.objectAt([]), "networks", { ...builtIn, [id]: settings })
      : inserted(text, root, object, id, settings)
  const changed = parseConfig(applied(text, edits))
  const isThere = JSON.stringify(changed.config.networks?.[id]) === JSON.stringify(settings)
  return changed.problems.length === 0 && isThere ? edits : undefined
}

type Tree = NonNullable<ReturnType<typeof jsoncTree>>

/** A member after the last one of an object, laid out as the others are. */
const inserted = (
  text: string,
  { offset, tokens }: Tree,
  object: ObjectNode | undefined,
  name: string,
  value: unknown,
): ReadonlyArray<TextEdit> => {
  if (object === undefined) return []
  const last = object.properties.at(-1)
  const close = object.end - 1
  const isBroken = /[\r\n]/.test(text.slice(object.start - offset, object.end - offset))
  const lineBreak = /\r\n|\r|\n/.exec(text)?.[0] ?? "\n"
  const closing = indentAt(text, object.start - offset)
  const indent = (last && ownIndent(text, last.start - offset)) ?? `${closing}  `
  const isGroup = name === "networks"
  const written = `${JSON.stringify(name)}: ${isGroup ? group(value as Networks, indent, lineBreak) : inline(value)}`
  // Behind what belongs to the last member: its comma, and comments.
  let comma = false
  let from = object.start + 1
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

/** The text in which a network has these members, replaced where it has them. `undefined` for a text with an error, and without the network. */
export const changeNetwork = (text: string, id: string, members: NetworkSettings): string | undefined => {
  let changed = text
  for (const [name, value] of Object.entries(members)) {
    const root = jsoncTree(changed)
    const object = root?.objectAt(["networks", id])
    if (root === undefined || object === undefined) return undefined
    const old = object.properties.find(({ key }) => key.value === name)?.value
    const edits =
      old === undefined
        ? inserted(changed, root, object, name, value)
        : [{ start: old.start - root.offset, end: old.end - root.offset, text: inline(value) }]
    changed = applied(changed, edits)
  }
  return parseConfig(changed).problems.length === 0 ? changed : undefined
}
