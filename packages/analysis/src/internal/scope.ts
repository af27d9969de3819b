/** Where the names of one request lead: `--var`, its own variables, the prelude's, imported ones, the environment's, requests. */
import { isSyntaxError, type Span, type VariableNode } from "@dotrpc/lang"
import { lineIndex, positionAt } from "@dotrpc/lang/locate"
import { nearest } from "@dotrpc/spec"
import { Redacted } from "effect"
import type { Analysis } from "../Analysis.ts"
import { confidential, type Evaluated, evaluateValue, failed, known, pending, type Scope } from "../Evaluate.ts"
import { languageFunctions } from "../functions.ts"
import { fileName } from "../Imports.ts"
import { problem, replacement } from "../Problem.ts"
import type { Workspace } from "../Workspace.ts"
import { functionInForce } from "./functionInForce.ts"
import { definitionOf, namesSeen, type View } from "./resolve.ts"
import { statementOf } from "./statement.ts"

export interface ScopeSources extends View {
  readonly workspace: Workspace
  /** Whose functions come first. */
  readonly plugin: string | undefined
  /** What a named request came to, of an imported file when there is an origin; what has not run is pending. */
  readonly resultOf: (name: string, origin: Analysis | undefined) => Evaluated
  /** `result`, `credits` and the like, in a check. */
  readonly own: Readonly<Record<string, Evaluated>>
  readonly absentMember: Scope["absentMember"]
  readonly onSecret?: (secret: Redacted.Redacted<string>) => void
}

/** Before anything has run. */
export const nothingHasRun = (): Evaluated => pending

export const makeScope = (sources: ScopeSources): Scope => {
  const { workspace } = sources
  const functions = languageFunctions(workspace.now)
  const functionNames = () => [
    ...functions.map((entry) => entry.name),
    ...new Set(workspace.plugins.flatMap((plugin) => plugin.functions.map((entry) => entry.name))),
  ]
  const valueOf = (variable: VariableNode, view: View): Evaluated => {
    if (variable.value === undefined) return failed()
    const evaluated = evaluateValue(variable.value, scopeFrom(view))
    if (evaluated.diagnostics.length > 0 || variable.value.kind === "Error") return failed(...evaluated.diagnostics)
    if (evaluated.pending.length > 0) return pending
    return evaluated.secret.length > 0 ? confidential(evaluated.value) : known(evaluated.value)
  }
  const importedValueOf = (variable: VariableNode, view: View, origin: Analysis, span: Span): Evaluated => {
    const statement = statementOf(variable, origin.tree)
    const broken = origin.diagnostics.find((entry) => isSyntaxError(entry) && isInside(entry, statement))
    const evaluated = broken === undefined ? valueOf(variable, view) : failed(broken)
    if (evaluated._tag !== "Problem") return evaluated
    return failed(wrongThere(variable.name.text, origin, evaluated.diagnostics[0] ?? variable, span))
  }
  const lookUp = (name: string, span: Span, view: View): Evaluated => {
    const own = sources.own[name]
    if (own !== undefined) return own
    const override = workspace.overrides[name]
    if (override !== undefined) return known(override)
    const definition = definitionOf(name, view, workspace)
    switch (definition?.kind) {
      case "variable": {
        const { variable, view: inside } = definition
        return inside.origin === undefined || inside.origin === view.origin
          ? valueOf(variable, inside)
          : importedValueOf(variable, inside, inside.origin, span)
      }
      case "environment":
        return known(workspace.variables[name] ?? null)
      case "request":
        return sources.resultOf(name, definition.origin)
      case undefined:
        return failed(unknownName(name, span, view))
    }
  }
  const unknownName = (name: string, span: Span, view: View) => {
    const { file, section, horizon } = view
    const isBelow = [...(section?.variables ?? []), ...file.tree.prelude.variables].some(
      (variable) => variable.name.text === name,
    )
    if (isBelow && horizon !== undefined && (horizon.section !== Infinity || horizon.prelude !== Infinity))
      return problem("A201", span, `"${name}" is defined below; a variable sees only those above it`)
    const meant = nearest(name, [
      ...Object.keys(sources.own),
      ...namesSeen(view),
      ...Object.keys(workspace.overrides),
      ...Object.keys(workspace.variables),
    ])
    if (meant !== undefined) {
      const fix = replacement(`Replace with ${meant}`, span, meant)
      return problem("A201", span, `unknown name "${name}"; did you mean "${meant}"?`, fix)
    }
    const lost = file.imports.find(({ analysis }) => analysis === undefined)
    const advice =
      lost === undefined
        ? `define it with @${name} = …, or name a request with # @name ${name}`
        : `it may come from ${lost.directive.value.text}, which cannot be used`
    return problem("A201", span, `unknown name "${name}": ${advice}`)
  }
  const scopeFrom = (view: View): Scope => ({
    name: (name, span) => lookUp(name, span, view),
    call: (name, args) => {
      const own = functions.find((entry) => entry.name === name)
      if (own !== undefined) return own.call(args)
      const found = functionInForce(name, { ...view, plugin: sources.plugin, workspace })
      return found?.entry.call(args, found.context)
    },
    functionNames,
    env: workspace.env,
    secret: (name) => {
      const secret = workspace.secret(name)
      if (secret === undefined) return undefined
      sources.onSecret?.(secret)
      return Redacted.value(secret)
    },
    absentMember: sources.absentMember,
  })
  return scopeFrom(sources)
}

/** A problem of another file, told where its name is used. */
export const wrongThere = (
  name: string,
  origin: Analysis,
  found: { readonly start: number; readonly message?: string },
  span: Span,
) => {
  const { line } = positionAt(lineIndex(origin.tree.tokens.text), found.start)
  const file = fileName(origin.uri ?? "the imported file")
  return problem(
    "A404",
    span,
    `"${name}" cannot be used: ${found.message ?? "it has no value"} (line ${line + 1} of ${file})`,
  )
}

const isInside = (inner: Span, outer: Span): boolean => inner.start >= outer.start && inner.end <= outer.end
