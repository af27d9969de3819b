/** What a workspace is made of, and how. */
import type { Abi, AbiReader, AbiReading, Json, Plugin } from "@dotrpc/spec"
import { Redacted } from "effect"
import type { AbiFile } from "./AbiFiles.ts"
import { readAbiText, readingAbiText } from "./internal/abi.ts"
import { labelProblems } from "./internal/labels.ts"
import { misnamedNetworks, resolveNetworks } from "./internal/networks.ts"
import { defaultConfig, type EnvironmentSettings, type ProjectConfig } from "./ProjectConfig.ts"
import { type PriceSheetFiles, sheetProblems } from "./PriceSheets.ts"
import type { Steps } from "./Steps.ts"
import { type EnvironmentScope, listedNetworks, unknownName, type Workspace } from "./Workspace.ts"
import type { WorkspaceProblem } from "./WorkspaceProblem.ts"

/** What a workspace is made of. */
export interface WorkspaceSources {
  readonly plugins: ReadonlyArray<Plugin>
  readonly config?: ProjectConfig | undefined
  readonly environment?: string | undefined
  readonly overrides?: Readonly<Record<string, Json.Json>> | undefined
  readonly forcedNetwork?: string | undefined
  readonly comparedNetwork?: string | undefined
  /** A variable of the environment by name. */
  readonly env?: ((name: string) => string | undefined) | undefined
  /** Defaults to `env`: a secret named API_KEY is the environment variable API_KEY. */
  readonly secret?: ((name: string) => string | undefined) | undefined
  /** Of the configuration; see `readAbiFiles`. */
  readonly abiFiles?: ReadonlyArray<AbiFile> | undefined
  /** Of the configuration; see `readPriceSheets`. */
  readonly sheetFiles?: PriceSheetFiles | undefined
  /** Whether plugins of the configuration are left out, as nobody has agreed to run them. */
  readonly isWithheld?: boolean | undefined
  /** Whether plugins of the configuration are missing for any reason: a plugin or preset that is not known may be theirs. */
  readonly isIncomplete?: boolean | undefined
  /** Whether the editor does not trust the folder: advice is to trust it. */
  readonly isRestricted?: boolean | undefined
  /** Whether the configuration has an error, so that the defaults stand in for it: names of its own are not known. */
  readonly isUnread?: boolean | undefined
  /** Whether values that are not set are ignored: nothing is going to be sent. */
  readonly expectsMore?: boolean | undefined
  /** Whether warnings are errors. */
  readonly isStrict?: boolean | undefined
  readonly now: number
}

/** Whoever has no configuration has no network of their own yet. */
const begin =
  "; dotrpc init writes rpc.config.json with yours, where a preset such as ethereum or base lacks only a URL"

/**
 * Resolves a project for one environment. Problems are about the choices made; those of a single network stay with it.
 * Warnings are about files that a pattern of the configuration led to: they are left out.
 */
export const makeWorkspace = (
  sources: WorkspaceSources,
): {
  readonly workspace: Workspace
  readonly problems: ReadonlyArray<WorkspaceProblem>
  readonly warnings: ReadonlyArray<WorkspaceProblem>
} => {
  const config = sources.config ?? defaultConfig
  const sheetFiles: PriceSheetFiles = sources.sheetFiles ?? new Map()
  const problems: Array<WorkspaceProblem> = []
  const listed = new Set(config.env)
  const isListed = (name: string) => listed.has(name)
  const readEnv = sources.env ?? (() => undefined)
  const env = (name: string) => (isListed(name) ? readEnv(name) : undefined)
  const readSecret = sources.secret ?? readEnv
  const secret = (name: string) => {
    const value = readSecret(name)
    return value === undefined || value === "" ? undefined : Redacted.make(value, { label: name })
  }
  const environments = config.environments ?? {}
  const chosen =
    sources.environment !== undefined && Object.hasOwn(environments, sources.environment)
      ? environments[sources.environment]
      : undefined
  if (sources.environment !== undefined && chosen === undefined) {
    problems.push({ message: unknownName("environment", sources.environment, Object.keys(environments)) })
  }
  const scopeOf = (own: EnvironmentSettings | undefined): EnvironmentScope => ({
    networks: resolveNetworks(config, own, sources.plugins, {
      sheetFiles,
      env,
      secret,
      isListed,
      expectsMore: sources.expectsMore,
      isRestricted: sources.isRestricted,
    }),
    variables: (own?.vars ?? {}) as Readonly<Record<string, Json.Json>>,
  })
  const { networks, variables } = scopeOf(chosen)
  const { comparedNetwork: compared, forcedNetwork: forced } = sources
  const ids = networks.map(({ network }) => network.id)
  const isConfigured = config !== defaultConfig || sources.isUnread === true
  for (const id of new Set([forced, compared]))
    if (id !== undefined && sources.isWithheld !== true && !ids.includes(id))
      problems.push({
        message: `${unknownName("network", id, listedNetworks(networks), ids)}${isConfigured ? "" : begin}`,
      })
  if (config !== defaultConfig && sources.isWithheld !== true && sources.isIncomplete !== true)
    problems.push(...misnamedNetworks(config, sources.plugins), ...labelProblems(config, sources.plugins))
  problems.push(...sheetProblems(config, sheetFiles))
  const abi = readAbis(sources.abiFiles ?? [], sources.plugins)
  problems.push(...abi.problems)
  return {
    workspace: {
      plugins: sources.plugins,
      networks,
      abi: abi.byPlugin,
      environment: sources.environment,
      environments: new Map(Object.entries(environments).map(([name, own]) => [name, once(() => scopeOf(own))])),
      variables,
      overrides: sources.overrides ?? {},
      forcedNetwork: forced,
      comparedNetwork: compared,
      env,
      secret,
      isListed,
      expectsMore: sources.expectsMore,
      isStrict: sources.isStrict,
      isWithheld: sources.isWithheld,
      isRestricted: sources.isRestricted,
      isUnread: sources.isUnread,
      isIncomplete: sources.isIncomplete,
      now: sources.now,
    },
    problems,
    warnings: abi.warnings,
  }
}

/**
 * Reads ABI files in steps, each of which takes a moment, so that an editor can do something else between them.
 * {@link makeWorkspace} takes what these plugins made of the same files.
 */
export function* readingAbis(
  files: ReadonlyArray<AbiFile>,
  plugins: ReadonlyArray<Plugin>,
): Steps<ReadonlyArray<AbiFile>> {
  for (const file of files)
    for (const { abi } of plugins) {
      if (abi === undefined || file.text === undefined) continue
      const known = knownReadings.get(file) ?? new Map<AbiReader, AbiReading>()
      knownReadings.set(file, known)
      known.set(abi, yield* readingAbiText(file.text, file.name, abi))
      yield
    }
  return files
}

const knownReadings = new WeakMap<AbiFile, Map<AbiReader, AbiReading>>()

/** What the plugins make of the ABI files; a file is wrong when none of them can read it. One that nobody named is left out. */
const readAbis = (files: ReadonlyArray<AbiFile>, plugins: ReadonlyArray<Plugin>) => {
  const byPlugin = new Map<string, Array<Abi[number]>>()
  const problems: Array<WorkspaceProblem> = []
  const warnings: Array<WorkspaceProblem> = []
  for (const file of files) {
    const { entry, isMatch = false, name, problem, text } = file
    const found = isMatch ? warnings : problems
    const path = ["abi", entry]
    if (text === undefined) {
      const message = problem === undefined ? `cannot read ${name}` : `${name} ${problem}`
      found.push({ message, path })
      continue
    }
    const readings = plugins.flatMap(({ abi, id }) =>
      abi === undefined ? [] : [{ id, reading: knownReadings.get(file)?.get(abi) ?? readAbiText(text, name, abi) }],
    )
    for (const { id, reading } of readings)
      if ("abi" in reading) {
        const items = byPlugin.get(id) ?? []
        byPlugin.set(id, items)
        for (const item of reading.abi) items.push(item)
      }
    const [first] = readings
    if (first !== undefined && "problem" in first.reading && readings.every(({ reading }) => "problem" in reading))
      found.push({ message: first.reading.problem, path })
  }
  return { byPlugin, problems, warnings }
}

const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
