/** Where the names of one request lead: `--var`, its own variables, the prelude's, imported ones, the environment's, requests. */
import type { Span, SyntaxNode, VariableNode } from "@dotrpc/lang"
import { positionAt } from "@dotrpc/lang/locate"
import { nearest, type PrivateValue } from "@dotrpc/spec"
import { Redacted } from "effect"
import type { Analysis } from "../Analysis.ts"
import {
  confidential,
  type Evaluated,
  evaluateValue,
  failed,
  known,
  pending,
  type Scope,
  type Work,
} from "../Evaluate.ts"
import { fileName } from "../Imports.ts"
import { overItems } from "../ItemChecks.ts"
import { namesSeen, resolveName, type Definition, type View } from "../Names.ts"
import { outcomeMembers } from "../RequestOutcome.ts"
import { problem, replacement } from "../Problem.ts"
import type { Workspace } from "../Workspace.ts"
import { functionInForce, functionNames } from "./functionInForce.ts"
import { namesIn } from "./names.ts"
import { linesOf, preludeErrors } from "./otherFile.ts"
import { statementOf } from "./statement.ts"

export interface ScopeSources extends View {
  readonly workspace: Workspace
  /** Whose functions come first. */
  readonly plugin: string | undefined
  /** What a named request came to, of an imported file when there is an origin; what has not run is pending. */
  readonly resultOf: (name: string, origin: Analysis | undefined) => Evaluated
  /** `result`, `credits` and the like, in a check; what is missing is pending. */
  readonly own: Readonly<Record<string, Evaluated>>
  /** What `row` is, in a section with `# @each`; pending when absent. */
  readonly row?: Evaluated | undefined
  /** What functions over all rows see, in a check; nothing is known of the rows when absent. */
  readonly overRows?: Scope["overRows"] | undefined
  readonly isRunning?: boolean | undefined
  readonly absentMember: Scope["absentMember"]
  /** By default, as much as a request may need that runs. */
  readonly work?: Work | undefined
  /** Gets every value from outside that is read. */
  readonly onPrivate?: ((value: PrivateValue) => void) | undefined
}

/** Before anything has run. */
export const nothingHasRun = (): Evaluated => pending

/** A variable, and where the names in its value are looked up from. */
type Placed = Pick<Extract<Definition, { kind: "variable" }>, "variable" | "view">

/** Results may be large, and a check may look through all of one. */
export const mostWork = 1_000_000_000

/** The most problems of one variable. */
const mostProblems = 20

/**
 * Where more names than these are mentioned, a misspelt one gets no suggestion: there may be a million of them. It depends
 * on the text alone, so that a name has one problem wherever it is come upon from.
 */
const mostCompared = 2_000

const mentions = new WeakMap<SyntaxNode, number>()

const mentionedIn = (node: SyntaxNode): number => {
  const known = mentions.get(node) ?? namesIn(node).length
  mentions.set(node, known)
  return known
}

export const makeScope = (sources: ScopeSources): Scope => {
  const { work = { done: 0, limit: mostWork }, workspace } = sources
  const importedValueOf = (placed: Placed, origin: Analysis, span: Span): Evaluated => {
    const { variable } = placed
    const statement = statementOf(variable, origin.tree)
    const broken = preludeErrors(origin).find((entry) => isInside(entry, statement))
    const evaluated = broken === undefined ? valueOf(placed) : failed(broken)
    if (evaluated._tag !== "Problem") return evaluated
    return failed(wrongThere(variable.name.text, origin, evaluated.diagnostics[0] ?? variable, span))
  }
  const lookUp = (name: string, span: Span, view: View): Evaluated => {
    const definition = resolveName(name, view, workspace)
    switch (definition?.kind) {
      case "outcome":
        return sources.own[name] ?? pending
      case "row":
        return sources.row ?? pending
      case "override":
        return known(workspace.overrides[name] ?? null)
      case "variable": {
        const { variable, view: inside } = definition
        return inside.origin === undefined || inside.origin === view.origin
          ? valueOf({ variable, view: inside })
          : importedValueOf({ variable, view: inside }, inside.origin, span)
      }
      case "environment":
        return known(workspace.variables[name] ?? null)
      case "request":
        return sources.resultOf(name, definition.origin)
      case undefined:
        return failed(unknownName(name, span, view, workspace))
    }
  }
  const scopeFrom = (view: View): Scope => ({
    name: (name, span) => lookUp(name, span, view),
    call: (name, args) => {
      const found = functionInForce(name, { ...view, plugin: sources.plugin, workspace })
      return found?.entry.call(args, found.context)
    },
    functionNames: () => functionNames(workspace),
    mayHaveMore: workspace.isWithheld,
    env: (name) => {
      const value = workspace.env(name)
      if (value !== undefined) sources.onPrivate?.({ kind: "env", name, value: Redacted.make(value) })
      return value
    },
    isListed: workspace.isListed,
    expectsMore: workspace.expectsMore,
    isRestricted: workspace.isRestricted,
    secret: (name) => {
      const secret = workspace.secret(name)
      if (secret === undefined) return undefined
      sources.onPrivate?.({ kind: "secret", name, value: secret })
      return Redacted.value(secret)
    },
    work,
    overRows: sources.overRows,
    overItems: sources.isCheck === true ? overItems : undefined,
    isRunning: sources.isRunning,
    absentMember: sources.absentMember,
  })
  const valueOf = valuesOf(workspace, scopeFrom)
  return scopeFrom(sources)
}

/** Each variable is evaluated once, after those that it is made of: a chain of them may be as long as a file. */
const valuesOf = (workspace: Workspace, scopeFrom: (view: View) => Scope) => {
  const values = new Map<VariableNode, Evaluated>()
  return (whole: Placed): Evaluated => {
    const steps = [{ placed: whole, parts: undefined as ReadonlyArray<Placed> | undefined, next: 0 }]
    for (let step = steps.at(-1); step !== undefined; step = steps.at(-1)) {
      const { placed } = step
      step.parts ??= values.has(placed.variable) ? [] : partsOf(placed, workspace)
      const part = step.parts[step.next++]
      if (part !== undefined) {
        if (!values.has(part.variable)) steps.push({ placed: part, parts: undefined, next: 0 })
        continue
      }
      steps.pop()
      if (!values.has(placed.variable)) values.set(placed.variable, evaluateIn(scopeFrom(placed.view), placed.variable))
    }
    return values.get(whole.variable) ?? failed()
  }
}

/** The value of a variable, as it is looked up in its own scope. */
const evaluateIn = (scope: Scope, variable: VariableNode): Evaluated => {
  if (variable.value === undefined) return failed()
  const evaluated = evaluateValue(variable.value, scope)
  if (evaluated.diagnostics.length > 0 || variable.value.kind === "Error")
    // What is wrong with a variable is wrong wherever it is used, and nobody reads it a thousand times.
    return { _tag: "Problem", diagnostics: [...new Set(evaluated.diagnostics)].slice(0, mostProblems) }
  if (evaluated.pending.length > 0) return pending
  if (evaluated.secret.length > 0) return confidential(evaluated.value)
  const { meanings, value } = evaluated
  return meanings.length === 0 ? known(value) : { _tag: "Value", value, secret: false, meanings }
}

/** The variables that a variable is made of, as they are looked up from it. */
const partsOf = ({ variable, view }: Placed, workspace: Workspace): ReadonlyArray<Placed> =>
  variable.value === undefined
    ? []
    : namesIn(variable.value).flatMap(({ name }) => {
        const definition = resolveName(name, view, workspace)
        return definition?.kind === "variable" ? [definition] : []
      })

/** Why a name leads nowhere, and what was probably meant. */
const unknownName = (name: string, span: Span, view: View, workspace: Workspace) => {
  const { file, section } = view
  // Without a horizon, as nothing else has that name.
  if (resolveName(name, { ...view, horizon: undefined }, workspace) !== undefined)
    return problem("A201", span, `"${name}" is defined below; a variable sees only those above it`)
  if (outcomeMembers.some((member) => member.name === name))
    return problem(
      "A201",
      span,
      `"${name}" has a value in checks only: write ?? ${name} …, or REQUEST.${name} for that of a named request`,
    )
  if (name === "row")
    return problem("A201", span, '"row" has a value only in a section with # @each: write # @each FILE above the call')
  if (name === "snapshot" && view.isCheck === true)
    return problem("A201", span, '"snapshot" is a check of its own: write ?? snapshot, and other checks on other lines')
  const mentioned = mentionedIn(section ?? file.tree.prelude)
  const meant = mentioned > mostCompared ? undefined : nearest(name, namesSeen(view, workspace))
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

/** A problem of another file, reported where its name is used. */
export const wrongThere = (
  name: string,
  origin: Analysis,
  found: { readonly start: number; readonly message?: string | undefined },
  span: Span,
) => {
  const { line } = positionAt(linesOf(origin), found.start)
  const file = fileName(origin.uri ?? "the imported file")
  return problem(
    "A404",
    span,
    `"${name}" cannot be used: ${found.message ?? "it has no value"} (line ${line + 1} of ${file})`,
  )
}

const isInside = (inner: Span, outer: Span): boolean => inner.start >= outer.start && inner.end <= outer.end
