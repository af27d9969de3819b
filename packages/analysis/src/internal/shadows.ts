/** Names that hide another one where a reader would expect the other. A section's variable instead of the prelude's is no such case. */
import type { Diagnostic, FileNode, Span } from "@dotrpc/lang"
import type { FileNames } from "../Analysis.ts"
import { resolveName } from "../Names.ts"
import { warning } from "../Problem.ts"
import type { Workspace } from "../Workspace.ts"
import { nameDirective } from "./draft.ts"
import { namesIn } from "./names.ts"

export const shadowDiagnostics = (file: FileNames, workspace: Workspace): ReadonlyArray<Diagnostic> => [
  ...hiddenRequests(file),
  ...hiddenImports(file, workspace),
  ...importedTwice(file),
  ...definedTwice(file.tree),
]

/** A variable comes before a request of the same name. */
const hiddenRequests = ({ namedRequests, tree }: FileNames): ReadonlyArray<Diagnostic> =>
  namedRequests.size === 0
    ? []
    : [tree.prelude, ...tree.sections]
        .flatMap((holder) => holder.variables)
        .filter(({ name }) => namedRequests.has(name.text))
        .map(({ name }) => shadow(name, `this variable hides the request named "${name.text}": rename one of them`))

/** A variable of an import comes before a request of the file; anything else of the file comes before what is imported. */
const hiddenImports = (file: FileNames, workspace: Workspace): ReadonlyArray<Diagnostic> =>
  file.imports.flatMap(({ analysis, directive }) => {
    if (analysis === undefined) return []
    const lent = namesOf(analysis)
    const path = directive.value.text
    return definedIn(file.tree)
      .filter(({ text }) => lent.has(text))
      .map((word) => {
        const definition = resolveName(word.text, { file }, workspace)
        const isHidden = definition?.kind === "variable" && definition.view.origin !== undefined
        return isHidden
          ? shadow(word, `the variable "${word.text}" of ${path} hides this request: rename one of them`)
          : shadow(word, `this hides "${word.text}" of ${path}: rename one of them`)
      })
  })

const importedTwice = ({ imports }: FileNames): ReadonlyArray<Diagnostic> => {
  const lenders = new Map<string, { readonly path: string; readonly uri: string | undefined }>()
  return imports.flatMap(({ analysis, directive: { value }, uri }) => {
    if (analysis === undefined) return []
    const names = [...namesOf(analysis)]
    const known = names.flatMap((name) => {
      const before = lenders.get(name)
      return before === undefined || before.uri === uri ? [] : [{ name, before }]
    })
    for (const name of names) lenders.set(name, { path: value.text, uri })
    const [first] = known
    if (first === undefined) return []
    const list = known.map(({ name }) => `"${name}"`).join(", ")
    return [shadow(value, `this hides ${list} of ${first.before.path}: the later import wins`)]
  })
}

/** The last one is used wherever both are above. One made of the earlier, as `@x = x + 1`, replaces it on purpose. */
const definedTwice = ({ prelude, sections }: FileNode): ReadonlyArray<Diagnostic> =>
  [prelude, ...sections].flatMap(({ variables }) => {
    const seen = new Set<string>()
    return variables.flatMap((variable) => {
      const { name } = variable
      const isFirst = !seen.has(name.text)
      seen.add(name.text)
      if (isFirst || name.text === "" || namesIn(variable).some((read) => read.name === name.text)) return []
      return [shadow(name, `this hides the variable "${name.text}" above: the last one wins; remove one of them`)]
    })
  })

const namesOf = ({ namedRequests, tree }: FileNames): ReadonlySet<string> =>
  new Set([...tree.prelude.variables.map(({ name }) => name.text), ...namedRequests.keys()])

/** The names that a file gives to all of itself: variables of the prelude and requests. */
const definedIn = (tree: FileNode): ReadonlyArray<Span & { readonly text: string }> => [
  ...tree.prelude.variables.map(({ name }) => name),
  ...tree.sections.flatMap((section) => nameDirective(section)?.value ?? []),
]

const shadow = (span: Span, message: string): Diagnostic => warning("A403", span, message)
