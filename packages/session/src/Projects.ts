/** The project of each document, read once until something changes. */
import type { Project, ProjectChoices } from "./Project.ts"
import { readProject } from "./ReadProject.ts"
import type { SessionHost } from "./SessionHost.ts"

/** Where the documents of a session have their projects from. */
export interface ProjectSource {
  /** The project of a document once it is read. The same object as long as nothing about it has changed. */
  readonly loaded: (document: string) => Promise<Project>
  /** What is known of it now, if anything is. */
  readonly current?: ((document: string) => Project | undefined) | undefined
}

/** The projects of open documents, each read once. */
export interface Projects extends ProjectSource {
  /** Forgets what has been read: files, variables or choices have changed. */
  readonly reset: () => void
}

/** The projects of a host's files; `choices` are asked for whenever one is read. */
export const makeProjects = (host: SessionHost, choices: () => ProjectChoices = () => ({})): Projects => {
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
    loaded: async (document) => {
      const folder = folderOf(document)
      const config = await remember(configs, folder, () => host.findConfig(document))
      const home = config === undefined ? folder : folderOf(config)
      return remember(projects, config ?? folder, () => readProject(host, { config, home }, choices()))
    },
    reset: () => {
      configs.clear()
      projects.clear()
    },
  }
}

/** The folder of a file. */
export const folderOf = (uri: string): string => uri.slice(0, uri.lastIndexOf("/") + 1)
