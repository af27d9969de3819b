/** What shells complete by asking: the networks, requests and other names of the project in the working folder. */
import type { Surroundings } from "@dotrpc/project/node"

export const nameKinds = [
  "networks",
  "environments",
  "requests",
  "tags",
  "sheets",
  "methods",
  "targets",
  "words",
] as const
export type NameKind = (typeof nameKinds)[number]

/** What stands for the names in a script, and in help. */
export const nameMark = "names-of-"
export const markOf = (kind: NameKind): string => `${nameMark}${kind}`

export const marks: RegExp = new RegExp(`${nameMark}(${nameKinds.join("|")})`, "g")

export const isNameKind = (kind: string | undefined): kind is NameKind => nameKinds.some((known) => known === kind)

/** One a line. Nothing that a shell would read as more than a word. */
export const namesOf = async (kind: NameKind, host: Surroundings): Promise<string> => {
  const names = await readers[kind](host)
  return [...new Set(names)].filter((name) => /^[\w@./-]+$/.test(name)).join("\n")
}

type Reader = (host: Surroundings) => Promise<ReadonlyArray<string>>

/** Each loads no more than it needs: somebody waits for a key. */
const readers: Readonly<Record<NameKind, Reader>> = {
  networks: async (host) => {
    const { isPreset } = await import("./MethodList.ts")
    return (await projectOf(host)).workspace.networks.flatMap((entry) => (isPreset(entry) ? [] : [entry.network.id]))
  },
  environments: async (host) => [...(await projectOf(host)).workspace.environments.keys()],
  requests: (host) => written(host, "name"),
  tags: (host) => written(host, "tag"),
  sheets: async () => (await import("@dotrpc/prices")).sheets().map(({ id }) => id),
  methods: async (host) =>
    (await projectOf(host)).workspace.plugins.flatMap(({ methods }) => methods.map(({ name }) => name)),
  targets: async (host) => [...(await filesOf(host)), ...(await readers.methods(host))],
  words: async (host) => [
    ...(await import("./commands/explain.ts")).explainedNames(),
    ...(await readers.methods(host)),
  ],
}

/** Code that belongs to the project does not run for a completion. */
const projectOf = async (host: Surroundings) => {
  const { findConfig, readProject } = await import("@dotrpc/project/node")
  const config = findConfig(host.cwd, host)
  return readProject(config, host.cwd, { judge: () => "unknown", surroundings: host })
}

const filesOf = async ({ cwd }: Surroundings): Promise<ReadonlyArray<string>> => {
  const { findFiles } = await import("./FoundFiles.ts")
  const { files } = await findFiles("**/*.rpc", { folder: cwd, limits: { entries: 20_000, matches: 200 } })
  const { relative } = await import("node:path")
  return files.map((path) => relative(cwd, path).replaceAll("\\", "/"))
}

/** The values of a directive in the files of the folder. */
const written = async (host: Surroundings, directive: string): Promise<ReadonlyArray<string>> => {
  const { readTextFile } = await import("@dotrpc/project/node")
  const { resolve } = await import("node:path")
  const line = new RegExp(`^#\\s*@${directive}\\s+(\\S+)`, "gm")
  const texts = await Promise.all((await filesOf(host)).map((file) => readTextFile(resolve(host.cwd, file))))
  return texts.flatMap((text) =>
    typeof text === "string" ? [...text.matchAll(line)].map(([, name = ""]) => name) : [],
  )
}
