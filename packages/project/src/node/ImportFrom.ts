/**
 * Importing a project's own plugins in Node. A module runs with the permissions of the process that imports it, like
 * any script of the project.
 *
 * Node keeps a module for as long as it runs. To read changed files again, a plugin is imported under a unique URL,
 * which the modules of the project that it imports inherit; packages in `node_modules` are kept.
 */
import { existsSync } from "node:fs"
import * as nodeModule from "node:module"
import { extname, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import type { ImportedPlugin, ImportPlugin } from "../LoadPlugins.ts"
import { resolvePackage } from "./resolvePackage.ts"

/**
 * Imports the plugins of a configuration in `folder`. An entry that begins with `.` or `/` is a module, relative to the
 * folder; any other is a package that is found from there.
 */
export const importFrom =
  (folder: string): ImportPlugin =>
  (entry) =>
    importEntry(entry, folder, (url) => url)

/**
 * As {@link importFrom}, with what has changed on disk since. Needs Node 22.15 or newer; before that a module stays as it
 * was when it was imported first, which {@link canImportAgain} tells.
 */
export const importAgainFrom = (folder: string): ImportPlugin => {
  inheritMoments()
  const moment = `?${momentName}=${++moments}`
  return (entry) => importEntry(entry, folder, (url) => (canImportAgain ? `${url}${moment}` : url))
}

/** Whether this Node can import a module again. */
export const canImportAgain = typeof nodeModule.registerHooks === "function"

const importEntry = async (entry: string, folder: string, url: (url: string) => string): Promise<ImportedPlugin> => {
  const found = isPath(entry) ? findModule(entry, folder) : findPackage(entry, folder)
  if ("problem" in found) return found
  try {
    return { exports: (await import(url(pathToFileURL(found.path).href))) as object }
  } catch (error) {
    return { problem: `cannot be loaded: ${explain(error, found.path)}` }
  }
}

/** Whether an entry is the name of a package that is not there. Looks, and imports nothing. */
export const isMissingPackage = (entry: string, folder: string): boolean =>
  !isPath(entry) && resolvePackage(entry, folder) === undefined

const isPath = (entry: string): boolean => /^[./]/.test(entry)

type Found = { readonly path: string } | { readonly problem: string }

const findModule = (entry: string, folder: string): Found => {
  const path = resolve(folder, entry)
  if (existsSync(path)) return { path }
  const built = /[\\/](dist|build|lib|out)[\\/]/.test(entry) ? "; if it has to be built first, build it" : ""
  return { problem: `was not found: there is no ${path}${built}` }
}

const findPackage = (entry: string, folder: string): Found => {
  const path = resolvePackage(entry, folder)
  if (path !== undefined) return { path }
  const module = extname(entry) === "" ? `${entry}.js` : entry
  const hint = `install it, or write the path of a module, such as "./${module}"`
  return { problem: `was not found from ${folder} as a package: ${hint}` }
}

/** What went wrong in a module of somebody else, in its own words and without its stack. */
const explain = (error: unknown, path: string): string => {
  if (codeOf(error) === "ERR_UNKNOWN_FILE_EXTENSION" && extname(path) === ".ts")
    return `Node ${process.versions.node} does not read TypeScript: use Node 22.18 or newer, or build the plugin to .js`
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined)

const momentName = "dotrpc-moment"
let moments = 0
let inherits = false

/** From now on, a module of a project that one with a moment imports gets the same moment. */
const inheritMoments = (): void => {
  if (inherits || !canImportAgain) return
  inherits = true
  nodeModule.registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context)
      const moment = momentOf(context.parentURL)
      if (moment === undefined || !/^file:(?!.*\/node_modules\/)[^?#]*$/.test(found.url)) return found
      return { ...found, url: `${found.url}?${momentName}=${moment}` }
    },
  })
}

const momentOf = (url: string | undefined): string | undefined =>
  url?.startsWith("file:") === true ? (new URL(url).searchParams.get(momentName) ?? undefined) : undefined
