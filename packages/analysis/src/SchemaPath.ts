/** Follows paths into the schemas of params and results. */
import type { ExprNode, NameExpr } from "@dotrpc/lang"
import type { ParamPath, WireSchema } from "@dotrpc/spec"
import { SchemaAST } from "effect"

/** Every alternative at a path: unions are taken apart, and what is never allowed is left out. */
export const alternativesAt = (schema: WireSchema<unknown>, path: ParamPath): ReadonlyArray<SchemaAST.AST> =>
  path.reduce<ReadonlyArray<SchemaAST.AST>>(
    (alternatives, key) => alternatives.flatMap((ast) => childrenOf(ast, key)).flatMap(alternativesOf),
    alternativesOf(schema.ast),
  )

/** The schema at a path as it was declared, for its annotations; `undefined` when no or more than one leads there. */
export const declaredAt = (schema: WireSchema<unknown>, path: ParamPath): SchemaAST.AST | undefined => {
  const key = path.at(-1)
  if (key === undefined) return schema.ast
  const found = alternativesAt(schema, path.slice(0, -1)).flatMap((ast) => childrenOf(ast, key))
  return found.length === 1 ? found[0] : undefined
}

/** `logs.result[i].topics` as its root and the path from there; an index that is computed stands for any. */
export const readPath = (node: ExprNode): { readonly root: NameExpr; readonly path: ParamPath } | undefined => {
  if (node.kind === "Name") return { root: node, path: [] }
  if (node.kind === "Group") return readPath(node.expr)
  if (node.kind !== "Member" && node.kind !== "Index") return undefined
  const object = readPath(node.object)
  if (object === undefined) return undefined
  if (node.kind === "Member") return { root: object.root, path: [...object.path, node.property.text] }
  const key = node.index.kind === "Literal" && node.index.type === "string" ? node.index.value : 0
  return { root: object.root, path: [...object.path, key] }
}

/** The schemas that a value may fit: unions are taken apart, and what is never allowed is left out. */
export const alternativesOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap(alternativesOf)
  if (SchemaAST.isSuspend(ast)) return alternativesOf(ast.thunk())
  return SchemaAST.isNever(ast) ? [] : [ast]
}

const childrenOf = (ast: SchemaAST.AST, key: string | number): ReadonlyArray<SchemaAST.AST> => {
  if (SchemaAST.isArrays(ast) && typeof key === "number") {
    const child = ast.elements[key] ?? ast.rest[0]
    return child === undefined ? [] : [child]
  }
  if (!SchemaAST.isObjects(ast)) return []
  const member = ast.propertySignatures.find((property) => property.name === key)
  return member === undefined ? ast.indexSignatures.map((signature) => signature.type) : [member.type]
}
