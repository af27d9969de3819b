/** Finds positions, sections and nodes by offset. */
import { countInFront, countUpTo } from "./internal/search.ts"
import type { FileNode, SectionNode, Span, SyntaxNode } from "./Syntax.ts"

export type * from "./Syntax.ts"
export type { TokenList } from "./Token.ts"

/** A line and a character on it, both from 0; characters are UTF-16 code units. */
export interface Position {
  readonly line: number
  readonly character: number
}

/** The lines of a text, for many look-ups. A line ends with CRLF, LF or CR. */
export interface LineIndex {
  readonly text: string
  /** The offset of the first character of each line. Those of a text of empty lines are as many as its characters, so each takes four bytes. */
  readonly starts: ArrayLike<number>
}

/** Builds the index of a text's lines. */
export function lineIndex(text: string): LineIndex {
  let count = 1
  for (let offset = 0; offset < text.length; offset++) if (endsLine(text, offset)) count++
  const starts = new Uint32Array(count)
  let line = 1
  for (let offset = 0; offset < text.length; offset++) if (endsLine(text, offset)) starts[line++] = offset + 1
  return { text, starts }
}

/** The position of an offset. An offset outside the text is moved to its nearest end. */
export function positionAt(source: string | LineIndex, offset: number): Position {
  const { starts, text } = typeof source === "string" ? lineIndex(source) : source
  const inside = Math.min(Math.max(offset, 0), text.length)
  const line = countInFront(starts.length, (index) => (starts[index] ?? 0) <= inside) - 1
  return { line, character: inside - (starts[line] ?? 0) }
}

/** The offset of a position. A character behind the end of its line means that end, a line behind the last the end of the text. */
export function offsetAt(source: string | LineIndex, position: Position): number {
  const { starts, text } = typeof source === "string" ? lineIndex(source) : source
  if (position.line < 0) return 0
  const start = starts[position.line]
  if (start === undefined) return text.length
  let end = starts[position.line + 1] ?? text.length
  while (end > start && position.line + 1 < starts.length && isLineBreak(text.charCodeAt(end - 1))) end--
  return Math.min(start + Math.max(position.character, 0), end)
}

/** The section that holds an offset, or `undefined` in the prelude. The end of the text belongs to the last section. */
export function sectionAt(tree: FileNode, offset: number): SectionNode | undefined {
  return tree.sections[countUpTo(tree.sections, offset) - 1]
}

/** The index of the one of several nodes, in their order, that holds an offset, its end included; -1 when none does. */
export function indexAt(nodes: ReadonlyArray<Span>, offset: number): number {
  const index = countUpTo(nodes, offset) - 1
  return (nodes[index]?.end ?? -1) >= offset ? index : -1
}

/**
 * The nodes around an offset, from the file to the innermost. The end of a node still counts as inside it, so that a cursor
 * after a word finds the word; of two neighbours that touch, the later one wins.
 */
export function nodesAt(tree: FileNode, offset: number): ReadonlyArray<SyntaxNode> {
  const path: Array<SyntaxNode> = []
  let node: SyntaxNode | undefined = tree
  while (node !== undefined) {
    path.push(node)
    node = childrenOf(node).findLast((child) => child.start <= offset && offset <= child.end)
  }
  return path
}

/** The direct children of a node, in the order of the text. */
export function childrenOf(node: SyntaxNode): ReadonlyArray<SyntaxNode> {
  switch (node.kind) {
    case "File":
      return [node.prelude, ...node.sections]
    case "Prelude":
    case "Section":
      return [...node.directives, ...node.variables, ...present(node.call), ...node.checks].toSorted(byStart)
    case "Variable":
    case "Property":
      return node.kind === "Property" ? [node.key, ...present(node.value)] : present(node.value)
    case "Call":
      return present(node.params)
    case "Check":
    case "Template":
    case "Group":
      return [node.expr]
    case "Object":
      return node.properties
    case "Array":
      return node.items
    case "String":
      return node.parts
    case "Member":
      return [node.object]
    case "Index":
      return [node.object, node.index]
    case "Function":
      return node.args
    case "Unary":
      return [node.operand]
    case "Binary":
      return [node.left, node.right]
    case "Directive":
    case "Text":
    case "Number":
    case "Boolean":
    case "Null":
    case "Error":
    case "Literal":
    case "AllItems":
    case "Name":
    case "Env":
    case "Secret":
    case "ErrorExpr":
      return []
  }
}

function present(node: SyntaxNode | undefined): ReadonlyArray<SyntaxNode> {
  return node === undefined ? [] : [node]
}

function byStart(left: SyntaxNode, right: SyntaxNode): number {
  return left.start - right.start
}

/** Whether a line ends after this character: of CRLF, that is the second one. */
function endsLine(text: string, offset: number): boolean {
  const code = text.charCodeAt(offset)
  return code === 10 || (code === 13 && text.charCodeAt(offset + 1) !== 10)
}

function isLineBreak(code: number): boolean {
  return code === 10 || code === 13
}
