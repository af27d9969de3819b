/** Projects as this editor makes them: those that come with dotrpc stand in until a project's own plugins are loaded. */
import { carriedPlugins } from "@dotrpc/project"
import {
  type LoadedPlugins,
  makeProject as makeOf,
  type Project,
  type ProjectSources,
  type Refusal,
} from "@dotrpc/session"

export type { ConfigFile, Project } from "@dotrpc/session"

export interface EditorSources extends Omit<ProjectSources, "plugins" | "refusals"> {
  readonly plugins?: LoadedPlugins | undefined
  /** Why the files of the project are not used, in words for the user: the defaults apply, and nothing runs. */
  readonly refusal?: string | undefined
}

export const makeProject = ({ plugins = noneOfItsOwn, refusal, ...sources }: EditorSources): Project =>
  makeOf({ ...sources, plugins, refusals: refusalsOf(refusal) })

/** Why a project's files are refused, as a session gets it. */
export const refusalsOf = (refusal: string | undefined): ReadonlyArray<Refusal> =>
  refusal === undefined ? [] : [{ message: refusal }]

const noneOfItsOwn: LoadedPlugins = { plugins: [...carriedPlugins.values()], problems: [] }
