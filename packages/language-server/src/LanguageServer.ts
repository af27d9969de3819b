/**
 * The language service behind the Language Server Protocol.
 *
 * Invariant: nothing here calls a network or runs a request; a secret's value never leaves the host's `variables`.
 */
import { keysInConfig } from "@dotrpc/analysis"
import {
  folderOf,
  lengthRefusal,
  makeProjects,
  makeSession,
  type Project,
  type ProjectPlace,
  type ProjectSource,
  type SessionHost,
} from "@dotrpc/session"
import { type Connection, DidChangeWatchedFilesNotification, type InitializeParams } from "vscode-languageserver"
import { serveDocuments, type ServerOptions } from "./internal/serveDocuments.ts"
import type { SharedSession } from "./SharedSession.ts"

export type { ServerOptions } from "./internal/serveDocuments.ts"

/**
 * Serves a connection until it is closed. The caller makes the connection (of streams, a worker or a socket) and gives
 * it to nobody else.
 *
 * @example
 * ```ts
 * import { createConnection } from "vscode-languageserver/node"
 *
 * serve(createConnection(process.stdin, process.stdout), host)
 * ```
 */
export const serve = (connection: Connection, host: SessionHost, options: ServerOptions = {}): void => {
  let choices: Choices = {}
  let folders: ReadonlyArray<string> = []
  let watchesFiles = false
  const projects = makeProjects(
    inFolders(host, () => folders),
    () => ({ ...choices, isEnvironmentRequired: true }),
  )
  const session = makeSession(withKeys(projects), host)
  const { client, ...reports } = serveDocuments(connection, options, {
    session,
    isFed: false,
    listFiles: host.listFiles,
    readFile: host.readFile,
    listFolder: host.listFolder,
    resultsOf: () => undefined,
    comparedOf: () => choices.comparePrices ?? [],
    configured: () => [],
    onInitialize: (params) => {
      choices = choicesIn(params.initializationOptions)
      folders = foldersIn(params)
    },
  })
  const reset = (): void => {
    projects.reset()
    session.forget()
    reports.reset()
  }
  const filesChanged = (): void => {
    session.forget()
    reports.filesChanged()
  }
  const choose = (settings: unknown): void => {
    const next = choicesIn(settings)
    const isOther = next.environment !== choices.environment
    choices = next
    if (isOther) reset()
  }
  const askSettings = async (): Promise<void> => {
    try {
      choose(await connection.workspace.getConfiguration("dotrpc"))
    } catch {
      connection.console.warn("the client did not send its settings; the defaults apply")
    }
  }
  const followFolders = (): void => {
    connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
      const gone = new Set(removed.map((folder) => folder.uri))
      folders = [...folders.filter((uri) => !gone.has(uri)), ...added.map((folder) => folder.uri)]
      reset()
    })
  }
  connection.onInitialized(async () => {
    const able = client()
    if (able.reportsFolders) followFolders()
    if (able.watchesFiles) watchesFiles = await watchFiles(connection)
    if (able.answersConfiguration) await askSettings()
  })
  connection.onDidChangeConfiguration(async ({ settings }) => {
    if (client().answersConfiguration) await askSettings()
    else choose(memberOf(settings, "dotrpc"))
  })
  connection.onDidChangeWatchedFiles(({ changes }) =>
    changes.some(({ uri }) => isOfProject.test(uri)) ? reset() : filesChanged(),
  )

  connection.onDidSaveTextDocument(() => {
    // A client that watches no files may have written the configuration in the meantime.
    if (!watchesFiles) reset()
  })
  connection.listen()
}

/** Whether the client watches the files that projects and documents lead to. */
const watchFiles = async (connection: Connection): Promise<boolean> => {
  try {
    await connection.client.register(DidChangeWatchedFilesNotification.type, {
      watchers: ["**/*.json", "**/.env", "**/*.rpc", "**/*.{csv,tsv,txt,ndjson,jsonl}"].map((globPattern) => ({
        globPattern,
      })),
    })
    return true
  } catch {
    connection.console.warn("the client does not watch files: save a file to reload rpc.config.json")
    return false
  }
}

/**
 * Serves a connection to a program that keeps a session itself, such as an editor's extension in the same process: nothing is
 * read or analysed twice, and results of runs are known.
 */
export const serveSession = (connection: Connection, shared: SharedSession, options: ServerOptions = {}): void => {
  const { reset } = serveDocuments(connection, options, {
    session: shared.session,
    isFed: shared.isFed === true,
    listFiles: shared.listFiles,
    readFile: shared.readFile,
    listFolder: shared.listFolder,
    resultsOf: shared.results ?? (() => undefined),
    comparedOf: shared.comparePrices ?? (() => []),
    configured: shared.configured ?? (() => []),
    onInitialize: () => undefined,
  })
  shared.onDidChange?.(reset)
  connection.listen()
}

/** What a project is read from, or may be: everything else is read for documents only. */
const isOfProject = /(?:\.json|\.env)$/

/** What the client chooses. */
interface Choices {
  /** An environment of `rpc.config.json`. */
  readonly environment?: string | undefined
  /** Price sheets that hovers compare. */
  readonly comparePrices?: ReadonlyArray<string> | undefined
}

/** Projects with the keys that are written into their configurations among the warnings. */
const withKeys = (projects: ProjectSource): ProjectSource => {
  const known = new WeakMap<Project, Project>()
  return {
    loaded: async (document) => {
      const project = await projects.loaded(document)
      const warned = known.get(project) ?? {
        ...project,
        warnings: [...project.warnings, ...keysInConfig(project.configFile?.text ?? "")],
      }
      known.set(project, warned)
      return warned
    },
  }
}

/** A document that is not a file yet belongs to the first folder of the workspace. */
const inFolders = (host: SessionHost, folders: () => ReadonlyArray<string>): SessionHost => {
  const placed = (document: string): string => {
    const [folder] = folders()
    return document.startsWith("file:") || folder === undefined ? document : `${folder.replace(/\/$/, "")}/untitled.rpc`
  }
  const at = (place: ProjectPlace): ProjectPlace => ({ ...place, home: folderOf(placed(place.home)) })
  return {
    ...host,
    findConfig: (document) => host.findConfig(placed(document)),
    refuses: lengthRefusal,
    trust: (place) => host.trust(at(place)),
    plugins: (entries, place, trust) => host.plugins(entries, at(place), trust),
    variables: (place, trust) => host.variables(at(place), trust),
  }
}

const foldersIn = ({ workspaceFolders }: InitializeParams): ReadonlyArray<string> =>
  (workspaceFolders ?? []).map((folder) => folder.uri)

/** Settings come from a person's file: what is not understood counts as not said. */
const choicesIn = (settings: unknown): Choices => {
  const environment = memberOf(settings, "environment")
  const compared = memberOf(settings, "comparePrices")
  return {
    environment: typeof environment === "string" && environment !== "" ? environment : undefined,
    comparePrices: Array.isArray(compared) ? compared.filter((name) => typeof name === "string") : undefined,
  }
}

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined
