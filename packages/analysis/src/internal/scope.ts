/** Where the names of one request lead: `--var`, its own variables, the prelude's, the environment's, other requests. */
import type { NameExpr, PreludeNode, SectionNode, Span, VariableNode } from "@dotrpc/lang"
import { nearest } from "@dotrpc/spec"
import { Redacted } from "effect"
import { confidential, type Evaluated, evaluateValue, failed, known, pending, type Scope } from "../Evaluate.ts"
import { languageFunctions } from "../functions.ts"
import { problem, replacement } from "../Problem.ts"
import { findFunction, type Workspace } from "../Workspace.ts"
import { namesIn } from "./names.ts"

export interface ScopeSources {
  readonly workspace: Workspace
  readonly prelude: PreludeNode
  /** Absent for the prelude's own variables. */
  readonly section?: SectionNode
  /** Whose functions come first. */
  readonly plugin: string | undefined
  /** The named requests of the file: their result when it is there, `pending` while it is not. */
  readonly requests: (name: string) => Evaluated | undefined
  readonly requestNames: () => ReadonlyArray<string>
  /** `result`, `credits`, `ms` and the like, in a check. */
  readonly own: Readonly<Record<string, Evaluated>>
  readonly absentMember: Scope["absentMember"]
  readonly onSecret?: (secret: Redacted.Redacted<string>) => void
  /** How far down names may look; to the end of the section and the prelude when absent. */
  readonly horizon?: Horizon
}

/** Variables see those above them only, so each lookup carries the index of the first variable it may not see. */
export interface Horizon {
  readonly section: number
  readonly prelude: number
}

export const makeScope = (sources: ScopeSources): Scope => {
  const { workspace, prelude, section } = sources
  const functions = languageFunctions(workspace.now)
  const functionNames = () => [
    ...functions.map((entry) => entry.name),
    ...new Set(workspace.plugins.flatMap((plugin) => plugin.functions.map((entry) => entry.name))),
  ]
  const variablesOf = (holder: { readonly variables: ReadonlyArray<VariableNode> } | undefined) =>
    holder?.variables ?? []
  const valueOf = (variable: VariableNode, horizon: Horizon): Evaluated => {
    if (variable.value === undefined) return failed()
    const evaluated = evaluateValue(variable.value, scopeAt(horizon))
    if (evaluated.diagnostics.length > 0 || variable.value.kind === "Error") return failed(...evaluated.diagnostics)
    if (evaluated.pending.length > 0) return pending
    return evaluated.secret.length > 0 ? confidential(evaluated.value) : known(evaluated.value)
  }
  const lookUp = (name: string, span: Span, horizon: Horizon): Evaluated => {
    const own = sources.own[name]
    if (own !== undefined) return own
    const override = workspace.overrides[name]
    if (override !== undefined) return known(override)
    const inSection = findBefore(variablesOf(section), name, horizon.section)
    if (inSection !== undefined) return valueOf(inSection.variable, { section: inSection.index, prelude: Infinity })
    const inPrelude = findBefore(variablesOf(prelude), name, horizon.prelude)
    if (inPrelude !== undefined) return valueOf(inPrelude.variable, { section: -1, prelude: inPrelude.index })
    const inEnvironment = workspace.variables[name]
    if (inEnvironment !== undefined) return known(inEnvironment)
    return sources.requests(name) ?? failed(unknownName(name, span, horizon))
  }
  const unknownName = (name: string, span: Span, horizon: Horizon) => {
    const variables = [...variablesOf(section), ...variablesOf(prelude)]
    if (
      variables.some((variable) => variable.name.text === name) &&
      (horizon.section !== Infinity || horizon.prelude !== Infinity)
    ) {
      return problem("A201", span, `"${name}" is defined below; a variable sees only those above it`)
    }
    const candidates = [
      ...Object.keys(sources.own),
      ...variables.map((variable) => variable.name.text),
      ...Object.keys(workspace.overrides),
      ...Object.keys(workspace.variables),
      ...sources.requestNames(),
    ]
    const meant = nearest(name, candidates)
    return meant === undefined
      ? problem(
          "A201",
          span,
          `unknown name "${name}": define it with @${name} = …, or name a request with # @name ${name}`,
        )
      : problem(
          "A201",
          span,
          `unknown name "${name}"; did you mean "${meant}"?`,
          replacement(`Replace with ${meant}`, span, meant),
        )
  }
  const scopeAt = (horizon: Horizon): Scope => ({
    name: (name, span) => lookUp(name, span, horizon),
    call: (name, args) =>
      (functions.find((entry) => entry.name === name) ?? findFunction(workspace, name, sources.plugin))?.call(args),
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
  return scopeAt(sources.horizon ?? { section: Infinity, prelude: Infinity })
}

/** Every request that the names lead to, directly or through variables. */
export const requestsBehind = (
  names: ReadonlyArray<NameExpr>,
  holders: ReadonlyArray<{ readonly variables: ReadonlyArray<VariableNode> }>,
  isRequest: (name: string) => boolean,
): ReadonlyArray<NameExpr> => {
  const found = new Map<string, NameExpr>()
  const seen = new Set<VariableNode>()
  const follow = (name: NameExpr): void => {
    const variable = holders
      .map((holder) => holder.variables.findLast((entry) => entry.name.text === name.name))
      .find((entry) => entry !== undefined)
    if (variable === undefined) {
      if (isRequest(name.name)) found.set(name.name, name)
      return
    }
    if (seen.has(variable)) return
    seen.add(variable)
    namesIn(variable).forEach(follow)
  }
  names.forEach(follow)
  return [...found.values()]
}

const findBefore = (
  variables: ReadonlyArray<VariableNode>,
  name: string,
  horizon: number,
): { readonly variable: VariableNode; readonly index: number } | undefined => {
  const index = variables.findLastIndex((variable, position) => position < horizon && variable.name.text === name)
  const variable = variables[index]
  return variable === undefined ? undefined : { variable, index }
}
