/** The functions that expressions can call, as an offset of a file sees them. */
import { sectionAt } from "@dotrpc/lang/locate"
import type { Json, PluginFunction, Suggestion } from "@dotrpc/spec"
import type { Analysis } from "./Analysis.ts"
import { workspaceAt } from "./internal/environment.ts"
import { viewAt } from "./Names.ts"
import { rowFunctions } from "./RowFunctions.ts"
import { type CallPlace, functionInForce, functionNames } from "./internal/functionInForce.ts"

/** What a name calls: the language's own function, else the one of the section's plugin, else of any plugin. */
export const functionAt = (analysis: Analysis, offset: number, name: string): PluginFunction | undefined =>
  functionInForce(name, placeOf(analysis, offset))?.entry

/** Every function, each name once: the one that it calls here. A check that is being written may have no text yet. */
export const functionsAt = (
  analysis: Analysis,
  offset: number,
  isCheck = viewAt(analysis, offset).isCheck === true,
): ReadonlyArray<PluginFunction> => {
  const place = placeOf(analysis, offset)
  const named = functionNames(place.workspace).flatMap((name) => functionInForce(name, place)?.entry ?? [])
  return isCheck ? [...named, ...rowFunctions] : named
}

/** The texts that an argument of a function is likely to be, as its plugin suggests; `argument` counts from 0. */
export const suggestionsAt = (
  analysis: Analysis,
  offset: number,
  name: string,
  argument: number,
): ReadonlyArray<Suggestion> => {
  const found = functionInForce(name, placeOf(analysis, offset))
  return found?.entry.suggest?.(argument, found.context) ?? []
}

/** The signature of a function where its first argument decides about the others, else that of all its calls. */
export const signatureAt = (
  analysis: Analysis,
  offset: number,
  name: string,
  first: Json.Json | undefined,
): string | undefined => {
  const found = functionInForce(name, placeOf(analysis, offset))
  const own = first === undefined ? undefined : found?.entry.signatureOf?.(first, found.context)
  return own ?? found?.entry.signature
}

const placeOf = (analysis: Analysis, offset: number): CallPlace => {
  const section = sectionAt(analysis.tree, offset)
  const plugin = analysis.requests.find((request) => request.section === section)?.method?.plugin
  return { file: analysis, plugin, section, workspace: workspaceAt(analysis.tree, section, analysis.workspace) }
}
