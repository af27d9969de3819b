/** The requests that have to run before another one, as its names and the variables behind them say. */
import type { NameExpr, VariableNode } from "@dotrpc/lang"
import type { Analysis } from "../Analysis.ts"
import { type Mention, resolveName, type View } from "../Names.ts"
import type { Workspace } from "../Workspace.ts"
import { namesIn } from "./names.ts"

export interface Need {
  readonly name: string
  /** The file it was imported from; absent for a request of the same file. */
  readonly origin?: Analysis | undefined
  /** The name in the request itself that leads to it, perhaps through variables. */
  readonly mention: NameExpr
}

/** What names lead to. */
export interface Reached {
  readonly needs: ReadonlyArray<Need>
  /** Variables of the same file on the way there. */
  readonly variables: ReadonlyArray<VariableNode>
  /** Of these, the ones above the first section. */
  readonly prelude: ReadonlyArray<VariableNode>
  /** Variables of other files on the way there. */
  readonly lent: ReadonlyArray<VariableNode>
}

export const reachedFrom = (mentions: ReadonlyArray<Mention>, view: View, workspace: Workspace): Reached => {
  const needs = new Map<string, Need>()
  const seen = new Set<VariableNode>()
  const variables: Array<VariableNode> = []
  const prelude: Array<VariableNode> = []
  const lent: Array<VariableNode> = []
  // A chain of variables may be as long as a file. What is named first is followed first.
  const queue = mentions.map(({ node, view: from }) => ({ name: node, from, mention: node })).toReversed()
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { name, from, mention } = next
    const definition = resolveName(name.name, from, workspace)
    if (definition?.kind === "request") {
      const { origin } = definition
      const key = `${origin?.uri ?? ""}#${name.name}`
      if (!needs.has(key)) needs.set(key, { name: name.name, mention, origin })
      continue
    }
    if (definition?.kind !== "variable" || seen.has(definition.variable)) continue
    const { variable, view: inside } = definition
    seen.add(variable)
    if (inside.origin === view.origin) {
      variables.push(variable)
      if (inside.section === undefined) prelude.push(variable)
    } else lent.push(variable)
    for (const part of namesIn(variable).toReversed()) queue.push({ name: part, from: inside, mention })
  }
  return { needs: [...needs.values()], variables, prelude, lent }
}
