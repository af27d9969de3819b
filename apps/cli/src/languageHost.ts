/**
 * The language server's files, plugins, variables and secrets: this machine's, as `dotrpc run` reads them.
 *
 * Invariant: the same projects are trusted as everywhere, as `dotrpc trust` has recorded. No code of an untrusted
 * project runs, and a configuration or a `.env` of another user is not used.
 */
import type { ImportPlugin } from "@dotrpc/project"
import { codeOf, diskHost, importAgainFrom, type Surroundings, trustStore } from "@dotrpc/project/node"
import type { LoadedPlugins, SessionHost } from "@dotrpc/session"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { findFiles, type SearchLimits } from "./FoundFiles.ts"
import { trustFile } from "./Trust.ts"

/** What a reference or a name is looked for in: further files are passed over. */
const listLimits: SearchLimits = { entries: 100_000, matches: 5_000 }

/** The process environment wins over `.env` beside the configuration; names are offered from `.env` alone. */
export const languageHost = (user: Surroundings): SessionHost => {
  const disk = diskHost({
    judge: trustStore(trustFile(user)).judge,
    importPlugins: makeImporter(),
    surroundings: user,
    now: Date.now,
  })
  return {
    ...disk,
    plugins: async (entries, place, trust) => withheldAsProblems(await disk.plugins(entries, place, trust)),
    listFiles: async (folder) => {
      if (!folder.startsWith("file:")) return []
      const { files } = await findFiles("**/*.rpc", { folder: fileURLToPath(folder), limits: listLimits })
      return files.map((path) => pathToFileURL(path).href)
    },
  }
}

/** Reports in the configuration, to anyone who edits the project, what a command would report before it runs. */
const withheldAsProblems = ({ plugins, problems, withheld = [] }: LoadedPlugins): LoadedPlugins => ({
  plugins,
  problems: [
    ...problems,
    ...withheld.map(({ message, ...entry }) => ({
      ...entry,
      message: `${message}. Until then, no code that belongs to the project runs here`,
    })),
  ],
})

/**
 * Imports the plugins of a folder again when their code is other than before, and not whenever some file of the project is
 * written: what was imported stays in memory.
 */
const makeImporter = () => {
  const known = new Map<string, { readonly code: string; readonly importPlugin: ImportPlugin }>()
  return (folder: string, own: ReadonlyArray<string>): ImportPlugin => {
    const code = fingerprint(folder, own)
    const before = known.get(folder)
    if (before !== undefined && before.code === code) return before.importPlugin
    const importNow = importAgainFrom(folder)
    const importPlugin: ImportPlugin = async (entry) => {
      const imported = await importNow(entry)
      // What is wrong may be put right by something that is not code of the project, such as an installation.
      if (!("exports" in imported)) known.delete(folder)
      return imported
    }
    known.set(folder, { code, importPlugin })
    return importPlugin
  }
}

/** Of code that could be looked at a moment ago, when its project was judged. */
const fingerprint = (folder: string, own: ReadonlyArray<string>): string =>
  own.length === 0 ? "" : codeOf(join(folder, "rpc.config.json"), own).hash
