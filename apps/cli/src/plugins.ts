/**
 * The plugins of a project: those this binary carries, by the names `rpc.config.json` uses, and the project's own, which
 * are modules beside the configuration or packages installed there.
 *
 * A module runs with the rights of whoever runs `dotrpc`, like any script of the project.
 */
import { defaultPlugins } from "@dotrpc/analysis"
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { nearest, type Plugin, pluginClashes, pluginProblem } from "@dotrpc/spec"
import { Result } from "effect"
import { existsSync } from "node:fs"
import { extname, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { resolvePackage } from "./resolvePackage.ts"

const carried = new Map<string, Plugin>([
  ["@dotrpc/plugin-evm", Evm.plugin],
  ["@dotrpc/plugin-token-accounts", TokenAccounts.plugin],
  ["@dotrpc/plugin-l2-events", L2Events.plugin],
])

/** The ids that a project's own plugins cannot have. */
export const carriedIds: ReadonlySet<string> = new Set([...carried.values()].map((plugin) => plugin.id))

/**
 * The plugins of a configuration in `folder`, and what is wrong with its list. An entry that begins with `.` or `/` is a
 * module, relative to the folder; any other is one of the carried plugins or a package that is found from there.
 */
export const loadPlugins = async (
  entries: ReadonlyArray<string> = defaultPlugins,
  folder: string,
): Promise<{ readonly plugins: ReadonlyArray<Plugin>; readonly problems: ReadonlyArray<string> }> => {
  const loaded = await Promise.all(entries.map((entry) => loadPlugin(entry, folder)))
  const plugins = loaded.filter(Result.isSuccess).map((result) => result.success)
  const problems = loaded.filter(Result.isFailure).map((result) => result.failure)
  return { plugins, problems: [...problems, ...pluginClashes(plugins)] }
}

/** Of a configuration's plugins those this binary carries, without running any code of the project: for opening a file. */
export const carriedPlugins = (
  entries: ReadonlyArray<string> = defaultPlugins,
): { readonly plugins: ReadonlyArray<Plugin>; readonly problems: ReadonlyArray<string> } => ({
  plugins: entries.flatMap((entry) => carried.get(entry) ?? []),
  problems: entries
    .filter((entry) => !carried.has(entry))
    .map((entry) => `plugin "${entry}" is the project's own: it is loaded by dotrpc run, and not by opening a file`),
})

const loadPlugin = async (entry: string, folder: string): Promise<Result.Result<Plugin, string>> => {
  const known = carried.get(entry)
  if (known !== undefined) return Result.succeed(known)
  const path = /^[./]/.test(entry) ? findModule(entry, folder) : findPackage(entry, folder)
  if (Result.isFailure(path)) return Result.fail(path.failure)
  let module: { readonly default?: unknown; readonly plugin?: unknown }
  try {
    module = await import(pathToFileURL(path.success).href)
  } catch (error) {
    return Result.fail(`plugin "${entry}" cannot be loaded: ${explain(error, path.success)}`)
  }
  const exported = [module.default, module.plugin].filter((value) => value !== undefined)
  const value = exported.find((candidate) => pluginProblem(candidate) === undefined) ?? exported[0]
  if (value === undefined)
    return Result.fail(`plugin "${entry}" exports none: export the plugin as default, or under the name "plugin"`)
  const problem = pluginProblem(value)
  // The shape has been checked, and the module may have its own copy of the types.
  return problem === undefined
    ? Result.succeed(value as Plugin)
    : Result.fail(`plugin "${entry}" does not export a plugin, the value that definePlugin gives: ${problem}`)
}

const findModule = (entry: string, folder: string): Result.Result<string, string> => {
  const path = resolve(folder, entry)
  if (existsSync(path)) return Result.succeed(path)
  const built = /[\\/](dist|build|lib|out)[\\/]/.test(entry) ? "; if it has to be built first, build it" : ""
  return Result.fail(`plugin "${entry}" is not found: there is no ${path}${built}`)
}

const findPackage = (entry: string, folder: string): Result.Result<string, string> => {
  const path = resolvePackage(entry, folder)
  if (path !== undefined) return Result.succeed(path)
  const meant = nearest(entry, carried.keys())
  const hint =
    meant === undefined
      ? `install it, or write the path of a module, such as "./${entry}.js"`
      : `did you mean "${meant}"?`
  return Result.fail(`plugin "${entry}" is not a package that can be found from ${folder}: ${hint}`)
}

/** What went wrong in a module of somebody else, in its own words and without its stack. */
const explain = (error: unknown, path: string): string => {
  if (codeOf(error) === "ERR_UNKNOWN_FILE_EXTENSION" && extname(path) === ".ts")
    return `Node ${process.versions.node} does not read TypeScript: use Node 22.18 or newer, or build the plugin to .js`
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined)
