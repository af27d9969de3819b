/**
 * The list `plugins` of a configuration as plugins: those that come with dotrpc, and the project's own, which are modules
 * beside the configuration or packages installed there.
 *
 * Invariant: code of a project runs only in the `ImportPlugin` that is given.
 */
import { configSpan, defaultPlugins } from "@dotrpc/analysis"
import { nearest, type Plugin, pluginClashes, pluginProblem } from "@dotrpc/spec"
import { Result } from "effect"
import { carriedPlugins } from "./CarriedPlugins.ts"

/** Imports what an entry of the list names. Never rejects. */
export type ImportPlugin = (entry: string) => Promise<ImportedPlugin>

/** The exports of a module, or in words what is wrong with the entry: `is not found: there is no /a/b.js`. */
export type ImportedPlugin = { readonly exports: object } | { readonly problem: string }

/** An entry that is no plugin, or plugins that do not go together. */
export interface PluginProblem {
  readonly message: string
  /** Which entry of the list, from 0; absent when it is about several. */
  readonly index?: number
}

export interface LoadedPlugins {
  readonly plugins: ReadonlyArray<Plugin>
  readonly problems: ReadonlyArray<PluginProblem>
}

/** Loads the plugins of a list; without one, those that come with dotrpc. */
export const loadPlugins = async (
  entries: ReadonlyArray<string> = defaultPlugins,
  importPlugin: ImportPlugin,
): Promise<LoadedPlugins> => {
  const loaded = await Promise.all(entries.map((entry) => loadPlugin(entry, importPlugin)))
  const plugins = loaded.filter(Result.isSuccess).map((result) => result.success)
  const problems = loaded.flatMap((result, index) =>
    Result.isFailure(result) ? [{ message: `plugin "${entries[index]}" ${result.failure}`, index }] : [],
  )
  return { plugins, problems: [...problems, ...pluginClashes(plugins).map((message) => ({ message }))] }
}

/** Where a problem is in the text of the configuration it came from, in UTF-16 units. */
export const spanOfProblem = (
  text: string,
  { index }: PluginProblem,
): { readonly start: number; readonly end: number } =>
  configSpan(text, index === undefined ? ["plugins"] : ["plugins", index])

const loadPlugin = async (entry: string, importPlugin: ImportPlugin): Promise<Result.Result<Plugin, string>> => {
  const carried = carriedPlugins.get(entry)
  if (carried !== undefined) return Result.succeed(carried)
  const imported = await importPlugin(entry)
  if ("exports" in imported) return pluginOf(imported.exports)
  const meant = nearest(entry, carriedPlugins.keys())
  return Result.fail(meant === undefined ? imported.problem : `is not known; did you mean "${meant}"?`)
}

/** The plugin among a module's exports. */
const pluginOf = (module: object): Result.Result<Plugin, string> => {
  const exported = ["default", "plugin"].map((name) => Reflect.get(module, name)).filter((value) => value !== undefined)
  const value = exported.find((candidate) => pluginProblem(candidate) === undefined) ?? exported[0]
  if (value === undefined) return Result.fail('exports none: export the plugin as default, or under the name "plugin"')
  const problem = pluginProblem(value)
  // The shape has been checked, and the module may have its own copy of the types.
  return problem === undefined
    ? Result.succeed(value as Plugin)
    : Result.fail(`does not export a plugin, the value that definePlugin gives: ${problem}`)
}
