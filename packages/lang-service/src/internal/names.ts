/** Where the names of a file are written; what each of them stands for, `resolveName` of the analysis says. */
import {
  type Analysis,
  type Definition,
  definitionsSeen,
  mentionsIn,
  mentionsOfRows,
  resolveName,
  resolveRequest,
  type Steps,
  viewAt,
  workspaceAt,
} from "@dotrpc/analysis"
import type { DirectiveNode, NameExpr, PreludeNode, SectionNode, Span, VariableNode, Word } from "@dotrpc/lang"
import { nodesAt, sectionAt } from "@dotrpc/lang/locate"

export type Holder = PreludeNode | SectionNode

/** What a name stands for. */
export type Target =
  | {
      readonly kind: "variable"
      readonly name: string
      /** Where it is defined, which may be an imported file. */
      readonly file: Analysis
      readonly holder: Holder
      /** The definition that is seen from the place asked about. */
      readonly variable: VariableNode
    }
  | {
      readonly kind: "request"
      readonly name: string
      readonly file: Analysis
      readonly section: SectionNode
      readonly written: Word
    }
  /** A variable of the chosen environment in `rpc.config.json`. */
  | { readonly kind: "environment"; readonly name: string }
  /** `result`, `credits` and the like, in a check. */
  | { readonly kind: "outcome"; readonly name: string }
  /** `row`, in a section with `# @each`. */
  | { readonly kind: "row"; readonly name: string }

export interface Occurrence {
  readonly file: Analysis
  readonly span: Span
  readonly isDefinition: boolean
}

/** The name under an offset with what it stands for. */
export const targetAt = (
  analysis: Analysis,
  offset: number,
): { readonly target: Target; readonly span: Span } | undefined => {
  const node = nodesAt(analysis.tree, offset).at(-1)
  if (node?.kind === "Name") {
    const target = targetOfName(analysis, node)
    return target === undefined ? undefined : { target, span: spanOf(node) }
  }
  if (node?.kind === "Variable" && touches(node.name, offset)) {
    const holder = sectionAt(analysis.tree, offset) ?? analysis.tree.prelude
    return {
      target: { kind: "variable", name: node.name.text, file: analysis, holder, variable: node },
      span: spanOf(node.name),
    }
  }
  if (node?.kind === "Directive" && touches(node.value, offset)) {
    const rows = rowsNameAt(analysis, node, offset)
    if (rows !== undefined) {
      const target = targetOfName(analysis, rows)
      return target === undefined ? undefined : { target, span: spanOf(rows) }
    }
    const definition = requestOf(analysis, node)
    const target = targetOf(node.value.text, definition, analysis)
    return target === undefined ? undefined : { target, span: spanOf(node.value) }
  }
  return undefined
}

/** What a name in an expression stands for; `undefined` when nothing has that name. */
export const targetOfName = (file: Analysis, { name, start }: NameExpr): Target | undefined =>
  targetOf(name, definitionAt(file, start, name), file)

/** What a name means at an offset, with the environment that is in force there. */
export const definitionAt = (file: Analysis, offset: number, name: string): Definition | undefined => {
  const view = viewAt(file, offset)
  return resolveName(name, view, workspaceAt(file.tree, view.section, file.workspace))
}

/** Every name that means something at an offset, nearest first, with what it means there. */
export const definitionsAt = (file: Analysis, offset: number): ReadonlyMap<string, Definition> => {
  const view = viewAt(file, offset)
  return definitionsSeen(view, workspaceAt(file.tree, view.section, file.workspace))
}

/**
 * Finds every place where a variable or a request is written, file by file, in the order of each. Nothing else has places.
 * `others` are files of the project beside the one that was asked in and those that it imports.
 */
export function* findingOccurrences(
  analysis: Analysis,
  target: Target,
  others: ReadonlyArray<Analysis> = [],
): Steps<ReadonlyArray<Occurrence>> {
  const found: Array<Occurrence> = []
  if (target.kind === "environment" || target.kind === "outcome" || target.kind === "row") return found
  if (target.kind === "variable" && target.holder.kind === "Section")
    return yield* findingIn(analysis, target.holder, target)
  for (const file of eachOnce([analysis, target.file, ...others]))
    for (const holder of holdersWith(file, target.name))
      for (const occurrence of yield* findingIn(file, holder, target)) found.push(occurrence)
  return found
}

/** The prelude and the sections whose text has a word anywhere, in their order: no others can mention it. */
export function* holdersWith({ tree }: Analysis, word: string): Generator<Holder> {
  const { text } = tree.tokens
  for (let at = text.indexOf(word); at >= 0;) {
    const holder = sectionAt(tree, at) ?? tree.prelude
    yield holder
    at = holder.end < text.length ? text.indexOf(word, holder.end) : -1
  }
}

/** The name in `# @each holders.result`. */
const rowsNameAt = (analysis: Analysis, node: DirectiveNode, offset: number): NameExpr | undefined => {
  if (node.name.text !== "each") return undefined
  const mentions = mentionsOfRows(analysis, sectionAt(analysis.tree, node.start))
  return mentions.map((mention) => mention.node).find((name) => touches(name, offset))
}

/** The request that a directive gives a name, or refers to. Of two with one name, each is its own. */
const requestOf = (analysis: Analysis, { name, start, value }: DirectiveNode): Definition | undefined => {
  const section = sectionAt(analysis.tree, start)
  if (name.text === "name" && section?.call !== undefined && value.text !== "") return { kind: "request", section }
  return name.text === "ref" ? resolveRequest(value.text, { file: analysis }) : undefined
}

/** What a definition is in the files of the editor; nothing for a variable that is given for a run. */
const targetOf = (name: string, definition: Definition | undefined, file: Analysis): Target | undefined => {
  switch (definition?.kind) {
    case "outcome":
    case "row":
    case "environment":
      return { kind: definition.kind, name }
    case "variable": {
      const { variable, view } = definition
      const owner = view.origin ?? file
      return { kind: "variable", name, file: owner, holder: view.section ?? owner.tree.prelude, variable }
    }
    case "request": {
      const { origin, section } = definition
      const written = nameDirective(section)?.value
      return written && { kind: "request", name, file: origin ?? file, section, written }
    }
    case "override":
    case undefined:
      return undefined
  }
}

export const isSameFile = (left: Analysis, right: Analysis): boolean =>
  left === right || (left.uri !== undefined && left.uri === right.uri)

/** Files as {@link isSameFile} tells them apart. */
const eachOnce = (files: ReadonlyArray<Analysis>): Iterable<Analysis> => {
  const known = new Map<string | Analysis, Analysis>()
  for (const file of files) if (!known.has(file.uri ?? file)) known.set(file.uri ?? file, file)
  return known.values()
}

function* findingIn(file: Analysis, holder: Holder, target: Target): Steps<ReadonlyArray<Occurrence>> {
  yield
  const found = [...definitionsIn(file, holder, target), ...(yield* findingUses(file, holder, target))]
  return found.toSorted((left, right) => left.span.start - right.span.start)
}

const definitionsIn = (file: Analysis, holder: Holder, target: Target): ReadonlyArray<Occurrence> => {
  if (
    target.kind === "environment" ||
    target.kind === "outcome" ||
    target.kind === "row" ||
    !isSameFile(file, target.file)
  )
    return []
  if (target.kind === "variable") {
    if (holder.kind !== target.holder.kind || holder.start !== target.holder.start) return []
    return holder.variables
      .filter((variable) => variable.name.text === target.name)
      .map((variable) => ({ file, span: spanOf(variable.name), isDefinition: true }))
  }
  return holder.start === target.section.start && holder.kind === "Section"
    ? [{ file, span: spanOf(target.written), isDefinition: true }]
    : []
}

function* findingUses(file: Analysis, holder: Holder, target: Target): Steps<ReadonlyArray<Occurrence>> {
  const section = holder.kind === "Section" ? holder : undefined
  const spans: Array<Span> = []
  const mentions = mentionsIn(file, section).filter(({ node }) => node.name === target.name)
  const workspace = mentions.length === 0 ? file.workspace : workspaceAt(file.tree, section, file.workspace)
  for (const { node, view } of mentions) {
    yield
    if (isSame(targetOf(target.name, resolveName(target.name, view, workspace), file), target)) spans.push(node)
  }
  const refs = holder.directives.filter(({ name, value }) => name.text === "ref" && value.text === target.name)
  const isMeant = refs.length > 0 && isSame(targetOf(target.name, resolveRequest(target.name, { file }), file), target)
  if (isMeant) spans.push(...refs.map(({ value }) => value))
  return spans.map((span) => ({ file, span: spanOf(span), isDefinition: false }))
}

const isSame = (found: Target | undefined, target: Target): boolean => {
  if (found?.kind === "variable" && target.kind === "variable")
    return (
      isSameFile(found.file, target.file) &&
      found.holder.start === target.holder.start &&
      found.holder.kind === target.holder.kind
    )
  if (found?.kind === "request" && target.kind === "request")
    return isSameFile(found.file, target.file) && found.section.start === target.section.start
  return found?.kind === target.kind
}

const nameDirective = (section: SectionNode): DirectiveNode | undefined =>
  section.directives.find((directive) => directive.name.text === "name")

const touches = (span: Span, offset: number): boolean => span.start <= offset && offset <= span.end

const spanOf = ({ start, end }: Span): Span => ({ start, end })
