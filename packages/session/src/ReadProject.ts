/** Opening a project: the one order in which its files are read, wherever they are. */
import { defaultConfig, inSlices, readAbiFiles, readingAbis, readPriceSheets, textOf } from "@dotrpc/analysis"
import { type ConfigFile, makeProject, type Project, type ProjectChoices, readConfig } from "./Project.ts"
import type { HostVariables, ProjectHost, ProjectPlace } from "./SessionHost.ts"

/**
 * Reads the project of a configuration, or that of a folder without one: first the configuration, then whether anything
 * of it may be used, its plugins, its private values and its ABI files. What is wrong is among its problems; rejects only
 * when the host does.
 */
export const readProject = async (
  host: ProjectHost,
  { config, home }: Omit<ProjectPlace, "settings">,
  choices: ProjectChoices = {},
): Promise<Project> => {
  const file = config === undefined ? undefined : await host.readFile(config)
  const configFile: ConfigFile | undefined =
    config === undefined ? undefined : { uri: config, text: textOf(file) ?? "" }
  const unread = configFile === undefined || typeof file === "string" ? undefined : (file?.problem ?? "cannot be read")
  const tooLong = configFile === undefined ? undefined : host.refuses?.(configFile.text)
  const isRead = configFile !== undefined && unread === undefined && tooLong === undefined
  const settings = isRead ? readConfig(configFile).config : defaultConfig
  const place: ProjectPlace = { config, home, settings }
  const trust = await host.trust(place)
  const refusals = tooLong === undefined || trust.refusals.length > 0 ? trust.refusals : [{ message: tooLong }]
  const isRefused = refusals.length > 0
  const isUsed = isRead && !isRefused
  const plugins = await host.plugins(isUsed ? settings.plugins : undefined, place, trust)
  const variables = isRefused ? nothingSet : await host.variables(place, trust)
  const root = isUsed && config !== undefined ? await host.rootOf?.(config) : undefined
  const folders = { readFile: host.readFile, listFolder: host.listFolder ?? (() => Promise.resolve([])) }
  const abiFiles = isUsed && config !== undefined ? await readAbiFiles(settings, config, folders, root) : []
  const sheetFiles =
    isUsed && config !== undefined
      ? await readPriceSheets(settings, config, host.readFile, root)
      : new Map<string, never>()
  await inSlices(readingAbis(abiFiles, plugins.plugins))
  return makeProject({
    ...choices,
    configFile,
    unread,
    refusals,
    plugins,
    abiFiles,
    sheetFiles,
    ...variables,
    secret: variables.secret ?? variables.env,
    isRestricted: trust.isRestricted,
    now: host.now(),
  })
}

const nothingSet: HostVariables = { env: () => undefined, envNames: [], secretNames: [] }
