/** The contents of the site, in order: documents, and the entries of packages. */
import { globSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

export const root = resolve(import.meta.dirname, "../../..")

const filesIn = (...patterns: ReadonlyArray<string>): ReadonlyArray<string> =>
  patterns.flatMap((pattern) =>
    globSync(pattern, { cwd: root, exclude: ["**/node_modules/**"] })
      .toSorted()
      .map((path) => join(root, path)),
  )

/** Absolute paths of documents, each once; the README is the first page, those of packages are on their own. */
export const documents = (): ReadonlyArray<string> => [
  ...new Set(
    filesIn(
      "apps/*/README.md",
      "docs/{scripts,language,configuration,scan,meter,gateway,editors,plugins,plugins-*}.md",
      "docs/*.md",
      "docs/commands/*.md",
      "examples/README.md",
      "{ARCHITECTURE,CONTRIBUTING,SECURITY}.md",
      "tooling/*/README.md",
      "docs/decisions/*.md",
    ),
  ),
]

/** The group of a document. */
export const groupOf = (path: string): string =>
  groups.find(([folder]) => path.startsWith(join(root, folder)))?.[1] ?? "Documents"

const groups = [
  ["docs/commands", "Commands"],
  ["docs/decisions", "Decisions"],
  ["tooling", "Tests"],
] as const

export const documentsForUsers = (): ReadonlyArray<string> =>
  documents().filter((path) => ["Commands", "Documents"].includes(groupOf(path)))

export interface Entry {
  /** The name that a program imports, such as `@dotrpc/core/Retry`. */
  readonly name: string
  /** The source file. */
  readonly file: string
  /** The package's own page; only with its first entry. */
  readonly readme?: string | undefined
}

/** The entries of every package that is published. */
export const entries = (): ReadonlyArray<Entry> =>
  filesIn("packages/*/package.json").flatMap((path) => {
    const manifest = JSON.parse(readFileSync(path, "utf8")) as Manifest
    return Object.entries(manifest.exports ?? {}).flatMap(([at, target]) =>
      typeof target === "string" || target[source] === undefined
        ? []
        : {
            name: join(manifest.name, at),
            file: join(dirname(path), target[source]),
            readme: at === "." ? join(dirname(path), "README.md") : undefined,
          },
    )
  })

const source = "dotrpc-source"

interface Manifest {
  readonly name: string
  readonly exports?: Readonly<Record<string, string | { readonly [source]?: string }>> | undefined
}
