/** Writes a tree as indented text, the form of the `.tree` files of the corpus. */
import { childrenOf } from "../src/Locate.ts"
import type { FileNode, SyntaxNode } from "../src/index.ts"

/** One node per line: indentation, kind, offsets, and what the node holds besides its children. */
export function treeText(tree: FileNode): string {
  const lines: Array<string> = []
  write(tree, 0, lines)
  return `${lines.join("\n")}\n`
}

function write(node: SyntaxNode, depth: number, lines: Array<string>): void {
  lines.push(`${"  ".repeat(depth)}${node.kind} ${node.start}-${node.end}${details(node)}`)
  for (const child of childrenOf(node)) write(child, depth + 1, lines)
}

function details(node: SyntaxNode): string {
  switch (node.kind) {
    case "Section":
      return ` ${JSON.stringify(node.title.text)}`
    case "Directive":
      return ` ${node.name.text} ${JSON.stringify(node.value.text)}`
    case "Variable":
    case "Env":
    case "Secret":
    case "Function":
      return ` ${node.name.text}`
    case "Call":
      return ` ${node.method.text}`
    case "Check":
      return ` ${JSON.stringify(node.text)}`
    case "String":
      return node.value === undefined ? "" : ` ${JSON.stringify(node.value)}`
    case "Text":
    case "Boolean":
      return ` ${JSON.stringify(node.value)}`
    case "Number":
      return ` ${node.text}`
    case "Name":
      return ` ${node.name}`
    case "Member":
      return ` .${node.property.text}`
    case "Unary":
    case "Binary":
      return ` ${node.operator}`
    case "Literal":
      if (node.type === "null") return " null"
      return ` ${node.type} ${"text" in node ? node.text : JSON.stringify(node.value)}`
    default:
      return ""
  }
}
