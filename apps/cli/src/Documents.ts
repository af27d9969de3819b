/** The `.rpc` files named on the command line, read and analysed. */
import { type Analysis, analyze } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import { readFileSync, statSync } from "node:fs"
import { dirname, relative, resolve } from "node:path"
import { globSync } from "tinyglobby"
import { findConfig, openProject, type Project, type ProjectChoices } from "./Project.ts"

export interface Document {
  /** As shown: relative to the working directory. */
  readonly file: string
  readonly text: string
  readonly analysis: Analysis
  readonly project: Project
}

export interface Documents {
  readonly documents: ReadonlyArray<Document>
  /** Files that do not exist, and what is wrong with the configuration: all of it forbids running. */
  readonly problems: ReadonlyArray<string>
  /** What the user should know before the run. */
  readonly warnings: ReadonlyArray<string>
}

/** Opens every file that the names and globs match, each with the configuration nearest to it. */
export const openDocuments = (patterns: ReadonlyArray<string>, choices: ProjectChoices): Documents => {
  const problems: Array<string> = []
  const projects = new Map<string, Project>()
  const files = patterns.flatMap((pattern) => {
    const matches = expand(pattern)
    if (matches.length === 0) problems.push(`no file matches "${pattern}"`)
    return matches
  })
  const documents = [...new Set(files)].map((path): Document => {
    const config = choices.config === undefined ? findConfig(path) : resolve(choices.config)
    const key = config ?? dirname(path)
    const project = projects.get(key) ?? openProject(config, dirname(path), choices)
    projects.set(key, project)
    const text = readFileSync(path, "utf8")
    return {
      file: relative(process.cwd(), path) || path,
      text,
      project,
      analysis: analyze(parse(text), project.workspace),
    }
  })
  const opened = [...projects.values()]
  problems.push(...new Set(opened.flatMap((project) => project.problems)))
  return { documents, problems, warnings: [...new Set(opened.flatMap((project) => project.warnings))] }
}

const expand = (pattern: string): ReadonlyArray<string> => {
  const path = resolve(pattern)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats?.isFile() === true) return [path]
  if (stats?.isDirectory() === true) return globSync("**/*.rpc", { cwd: path, absolute: true }).toSorted()
  return globSync(pattern.replaceAll("\\", "/"), { absolute: true, ignore: ["**/node_modules/**"] }).toSorted()
}
