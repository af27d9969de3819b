/** The project of each document: its configuration, environment and secrets, read once until something changes. */
import {
  type ConfigProblem,
  configSpan,
  defaultConfig,
  inSlices,
  keysInConfig,
  makeWorkspace,
  parseConfig,
  readAbiFiles,
  readingAbis,
  textOf,
  type Workspace,
} from "@dotrpc/analysis"
import type { KnownNames } from "@dotrpc/lang-service"
import { Redaction } from "@dotrpc/spec"
import type { LanguageHost } from "../LanguageHost.ts"
import type { HostProject } from "../ProjectHost.ts"
import { configRefusal } from "./limits.ts"

export interface Project {
  readonly workspace: Workspace
  readonly known: KnownNames
  /** Removes every secret of the project from a text. */
  readonly scrub: (text: string) => string
  /** The configuration with its problems; absent when the defaults apply. */
  readonly config?: NonNullable<HostProject["config"]>
  /** What is wrong where there is no configuration to show it in. */
  readonly warnings: ReadonlyArray<string>
}

/** What the client chooses. */
export interface Choices {
  /** An environment of `rpc.config.json`. */
  readonly environment?: string
}

export interface Projects {
  readonly of: (document: string) => Promise<Project>
  /** Forgets what has been read: files, variables or choices have changed. */
  readonly reset: () => void
}

export const makeProjects = (host: LanguageHost, choices: () => Choices): Projects => {
  const configs = new Map<string, Promise<string | undefined>>()
  const projects = new Map<string, Promise<Project>>()
  const remember = <Value>(cache: Map<string, Promise<Value>>, key: string, read: () => Promise<Value>) => {
    const known = cache.get(key)
    if (known !== undefined) return known
    const reading = read()
    cache.set(key, reading)
    // What could not be read is tried again by the next request.
    reading.catch(() => cache.delete(key))
    return reading
  }
  return {
    of: async (document) => {
      const folder = folderOf(document)
      const config = await remember(configs, folder, () => host.findConfig(document))
      return remember(projects, config ?? folder, () => openProject(host, config, document, choices()))
    },
    reset: () => {
      configs.clear()
      projects.clear()
    },
  }
}

const opened = new WeakMap<HostProject, Project>()

/** A project that its host has read; the same for the same, so that a document is not analysed again. */
export const projectOf = (project: HostProject): Project => {
  const known = opened.get(project)
  if (known !== undefined) return known
  const { known: names, workspace } = project
  const secretNames = new Set(names.secrets)
  const secret = (name: string) => {
    secretNames.add(name)
    return workspace.secret(name)
  }
  const secrets = () => [
    ...workspace.networks.flatMap(({ network }) => network.secrets),
    ...[...secretNames].flatMap((name) => workspace.secret(name) ?? []),
  ]
  const made = {
    ...project,
    workspace: { ...workspace, secret },
    scrub: (text: string) => Redaction.scrub(text, secrets()),
    warnings: [],
  }
  opened.set(project, made)
  return made
}

const openProject = async (
  host: LanguageHost,
  configUri: string | undefined,
  document: string,
  choices: Choices,
): Promise<Project> => {
  const file = configUri === undefined ? undefined : await host.readFile(configUri)
  const written = textOf(file)
  const refusal = typeof file === "object" ? file.problem : configRefusal(written ?? "")
  const text = refusal === undefined ? written : undefined
  const read = text === undefined ? { config: defaultConfig, problems: [] } : parseConfig(text)
  const variables = await host.variables(configUri ?? document)
  // Whatever secret goes into an answer was read by its name, so this is every one that a message could hold.
  const secretNames = new Set(variables.secretNames)
  const readSecret = variables.secret ?? variables.env
  const { plugins, problems: pluginProblems } = host.plugins(read.config.plugins)
  const abiFiles =
    configUri === undefined
      ? []
      : await readAbiFiles(read.config, configUri, {
          readFile: host.readFile,
          listFolder: host.listFolder ?? (() => Promise.resolve([])),
        })
  await inSlices(readingAbis(abiFiles, plugins))
  const {
    workspace,
    problems: choiceProblems,
    warnings: leftOut,
  } = makeWorkspace({
    plugins,
    config: read.config,
    abiFiles,
    ...(choices.environment === undefined ? {} : { environment: choices.environment }),
    env: variables.env,
    secret: (name) => {
      secretNames.add(name)
      return readSecret(name)
    },
    isUnread: read.problems.length > 0 || (configUri !== undefined && text === undefined),
    isIncomplete: pluginProblems.length > 0 || plugins.length < (read.config.plugins?.length ?? 0),
    now: host.now(),
  })
  const atStart = (message: string): ConfigProblem => ({ message, start: 0, end: 0 })
  const problems = [
    ...read.problems,
    ...(configUri !== undefined && text === undefined
      ? [atStart(`the configuration file ${refusal ?? "cannot be read"}`)]
      : []),
    ...pluginProblems.map(atStart),
    ...choiceProblems.map(({ message, path }) =>
      path === undefined ? atStart(message) : { message, ...configSpan(text ?? "", path) },
    ),
  ]
  const secrets = () => [
    ...workspace.networks.flatMap(({ network }) => network.secrets),
    ...[...secretNames].flatMap((name) => workspace.secret(name) ?? []),
  ]
  return {
    workspace,
    known: {
      env: variables.envNames,
      secrets: variables.secretNames,
      environments: Object.keys(read.config.environments ?? {}),
    },
    scrub: (message) => Redaction.scrub(message, secrets()),
    ...(configUri === undefined
      ? {}
      : {
          config: {
            uri: configUri,
            text: text ?? "",
            problems,
            warnings: [
              ...keysInConfig(text ?? ""),
              ...leftOut.map(({ message, path = [] }) => ({ message, ...configSpan(text ?? "", path) })),
            ],
          },
        }),
    warnings: configUri === undefined ? problems.map((problem) => problem.message) : [],
  }
}

/** With the slash at its end. */
export const folderOf = (uri: string): string => uri.slice(0, uri.lastIndexOf("/") + 1)
