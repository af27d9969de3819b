/** Where a file reads members of results that are deprecated or that a result is unlikely to have, and items of what is not a list. */
import type { Diagnostic, IndexExpr, MemberExpr, NameExpr, SectionNode, SyntaxNode } from "@dotrpc/lang"
import { childrenOf } from "@dotrpc/lang/locate"
import { deprecationOf, type Method, nearest } from "@dotrpc/spec"
import { SchemaAST } from "effect"
import { problem, replacement, warning } from "../Problem.ts"
import { decodedMember } from "../RequestOutcome.ts"
import { alternativesAt, alternativesOf, readPath } from "../SchemaPath.ts"
import type { Workspace } from "../Workspace.ts"

/** What a name in an expression leads to, when it is the outcome of a request: by its name, or as a member of its name. */
export interface OutcomeOf {
  readonly method: Method | undefined
  /** Whether the name is that of the outcome itself, as `result` is in a check. */
  readonly isOwn: boolean
}

export const deprecatedReads = (
  section: SectionNode,
  workspace: Workspace,
  outcomeOf: (root: NameExpr) => OutcomeOf | undefined,
): ReadonlyArray<Diagnostic> => {
  const found: Array<Diagnostic> = []
  const words = deprecatedWords(workspace)
  const visit = (node: SyntaxNode): void => {
    if (node.kind === "Member" && words.has(node.property.text)) found.push(...readOf(node, outcomeOf))
    childrenOf(node).forEach(visit)
  }
  visit(section)
  return found
}

/**
 * Items of what is not a list, and members that the result of a request does not have, as far as its schema tells, where a check reads them:
 * there they would be null. A result may have more members than its schema knows, so only those that look misspelt are reported.
 */
export const misreads = (checks: ReadonlyArray<SyntaxNode>, method: Method): ReadonlyArray<Diagnostic> => {
  const found: Array<Diagnostic> = []
  const visit = (node: SyntaxNode): void => {
    if (node.kind === "Member") found.push(...misreadOf(node, method))
    if (node.kind === "Index" && node.index.kind === "AllItems") found.push(...notListOf(node, method))
    childrenOf(node).forEach(visit)
  }
  checks.forEach(visit)
  return found
}

const misreadOf = ({ object, property }: MemberExpr, method: Method): ReadonlyArray<Diagnostic> => {
  const read = readPath(object)
  if (read?.root.name !== "result" || property.text === "" || property.text === "length") return []
  if (property.text === decodedMember.name && read.path.length === 0 && method.decode !== undefined) return []
  const alternatives = alternativesAt(method.result, read.path).filter((ast) => !SchemaAST.isNull(ast))
  const isList = alternatives.length > 0 && alternatives.every((ast) => SchemaAST.isArrays(ast))
  if (!isList && !alternatives.every((ast) => SchemaAST.isObjects(ast) && ast.indexSignatures.length === 0)) return []
  const names = alternatives
    .filter(SchemaAST.isObjects)
    .flatMap((ast) => ast.propertySignatures.map(({ name }) => String(name)))
  if (names.includes(property.text)) return []
  const meant = nearest(property.text, [...names, "length"])
  if (meant === undefined && !isList) return []
  const hint = meant === undefined ? "an array has length and items, [0], [1] and so on" : `did you mean "${meant}"?`
  const found = warning("A210", property, `there is no "${property.text}" here; ${hint}`)
  return [meant === undefined ? found : { ...found, fix: replacement(`Replace with ${meant}`, property, meant) }]
}

const notListOf = ({ index, object }: IndexExpr, method: Method): ReadonlyArray<Diagnostic> => {
  const read = readPath(object)
  if (read?.root.name !== "result") return []
  const alternatives = alternativesAt(method.result, read.path)
  if (alternatives.length === 0 || !alternatives.every(isNotList)) return []
  const kind = alternatives.some(SchemaAST.isObjects) ? "an object" : "a single value"
  return [problem("A208", index, `[*] needs a list, and here the result of ${method.name} has ${kind}`)]
}

const isNotList = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isObjects(ast) ||
  SchemaAST.isString(ast) ||
  SchemaAST.isTemplateLiteral(ast) ||
  SchemaAST.isNumber(ast) ||
  SchemaAST.isBigInt(ast) ||
  SchemaAST.isBoolean(ast) ||
  SchemaAST.isLiteral(ast) ||
  SchemaAST.isNull(ast)

/** Whether a text can read any of them at all: hardly one does. */
export const mayReadDeprecated = (text: string, workspace: Workspace): boolean =>
  [...deprecatedWords(workspace)].some((word) => text.includes(word))

const readOf = (node: MemberExpr, outcomeOf: (root: NameExpr) => OutcomeOf | undefined): ReadonlyArray<Diagnostic> => {
  const read = readPath(node.object)
  if (read === undefined) return []
  const { isOwn, method } = outcomeOf(read.root) ?? { isOwn: false, method: undefined }
  const [first, ...path] = isOwn ? [read.root.name, ...read.path] : read.path
  if (method === undefined || first !== "result") return []
  const { property } = node
  for (const ast of alternativesAt(method.result, path).filter(SchemaAST.isObjects)) {
    const member = ast.propertySignatures.find(({ name }) => name === property.text)
    const instead = member === undefined ? undefined : deprecationOf(member.type)
    if (instead === undefined) continue
    const message = `${property.text} is deprecated: read ${instead} instead`
    return [{ ...warning("A209", property, message), fix: replacement(`Replace with ${instead}`, property, instead) }]
  }
  return []
}

const deprecatedWords = ({ plugins }: Workspace): ReadonlySet<string> => {
  const known = wordsOf.get(plugins)
  if (known !== undefined) return known
  const words = new Set<string>()
  const seen = new Set<SchemaAST.AST>()
  const visit = (ast: SchemaAST.AST): void => {
    if (seen.has(ast)) return
    seen.add(ast)
    if (SchemaAST.isArrays(ast)) [...ast.elements, ...ast.rest].flatMap(alternativesOf).forEach(visit)
    if (!SchemaAST.isObjects(ast)) return
    for (const { name, type } of ast.propertySignatures) {
      if (deprecationOf(type) !== undefined) words.add(String(name))
      alternativesOf(type).forEach(visit)
    }
    ast.indexSignatures.flatMap(({ type }) => alternativesOf(type)).forEach(visit)
  }
  for (const { methods } of plugins) methods.flatMap(({ result }) => alternativesOf(result.ast)).forEach(visit)
  wordsOf.set(plugins, words)
  return words
}

const wordsOf = new WeakMap<Workspace["plugins"], ReadonlySet<string>>()
