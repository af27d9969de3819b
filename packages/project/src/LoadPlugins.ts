/**
 * The list `plugins` of a configuration as plugins: the built-in ones, and the project's own, which are modules beside
 * the configuration or packages installed there.
 *
 * Invariant: code of a project runs only in the `ImportPlugin` that is given.
 */
import { defaultPlugins } from "@dotrpc/analysis"
import type { LoadedPlugins } from "@dotrpc/session"
import { nearest, type Plugin, pluginClashes, pluginProblem } from "@dotrpc/spec"
import { Result } from "effect"
import { carriedNames, carriedPlugin, carriedPlugins } from "./CarriedPlugins.ts"

/** Imports what an entry of the list names. Never rejects. */
export type ImportPlugin = (entry: string) => Promise<ImportedPlugin>

/**
 * The exports of a module, or in words what is wrong with the entry: `was not found: there is no /a/b.js`; `withheld` says
 * why it may not be imported, which is not a mistake of the list, unless there is nothing to import.
 */
export type ImportedPlugin =
  | { readonly exports: object }
  | { readonly problem: string }
  | { readonly withheld: string; readonly isMissing?: boolean | undefined }

/** Loads the plugins of a list; without one, those that come with dotrpc. */
export const loadPlugins = async (
  entries: ReadonlyArray<string> = defaultPlugins,
  importPlugin: ImportPlugin,
): Promise<LoadedPlugins> => {
  const loaded = await Promise.all(entries.map((entry) => loadPlugin(entry, importPlugin)))
  const found = loaded.flatMap((result, index) =>
    Result.isSuccess(result) ? [{ plugin: result.success, entry: entries[index] ?? "", index }] : [],
  )
  const plugins = found.map(({ plugin }) => plugin)
  const clashes = pluginClashes(
    plugins,
    found.map(({ entry }) => entry),
  )
  const failures = loaded.flatMap((result, index) =>
    Result.isFailure(result)
      ? [{ isWithheld: result.failure.isWithheld, message: `plugin "${entries[index]}" ${result.failure.why}`, index }]
      : [],
  )
  const problemsOf = (wanted: boolean) =>
    failures.filter(({ isWithheld }) => isWithheld === wanted).map(({ index, message }) => ({ message, index }))
  return {
    plugins,
    problems: [...problemsOf(false), ...clashes.map(({ index, message }) => ({ message, index: found[index]?.index }))],
    withheld: problemsOf(true),
  }
}

interface NotLoaded {
  readonly why: string
  readonly isWithheld: boolean
}

const loadPlugin = async (entry: string, importPlugin: ImportPlugin): Promise<Result.Result<Plugin, NotLoaded>> => {
  const carried = carriedPlugin(entry)
  if (carried !== undefined) return Result.succeed(carried)
  const wrong = (why: string) => Result.fail({ why, isWithheld: false })
  const imported = await importPlugin(entry)
  if ("exports" in imported) return Result.mapError(pluginOf(imported.exports), (why) => ({ why, isWithheld: false }))
  // A short name is as near to that of many a package.
  const isMissing = "problem" in imported || imported.isMissing === true
  const meant = nearest(entry, isMissing ? carriedNames : carriedPlugins.keys())
  if (meant !== undefined) return wrong(`is unknown; did you mean "${meant}"?`)
  return "withheld" in imported ? Result.fail({ why: imported.withheld, isWithheld: true }) : wrong(imported.problem)
}

/** The plugin among a module's exports. */
const pluginOf = (module: object): Result.Result<Plugin, string> => {
  const exported = ["default", "plugin"].map((name) => Reflect.get(module, name)).filter((value) => value !== undefined)
  const value = exported.find((candidate) => pluginProblem(candidate) === undefined) ?? exported[0]
  if (value === undefined)
    return Result.fail('does not export a plugin: export it as default, or under the name "plugin"')
  const problem = pluginProblem(value)
  // The shape has been checked, and the module may have its own copy of the types.
  return problem === undefined
    ? Result.succeed(value as Plugin)
    : Result.fail(`does not export a plugin, the value that definePlugin returns: ${problem}`)
}
