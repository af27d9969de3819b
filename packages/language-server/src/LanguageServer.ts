/**
 * The language service behind the Language Server Protocol.
 *
 * Invariant: nothing here calls a network or runs a request; a secret's value never leaves the host's `variables`.
 */
import { type Connection, DidChangeWatchedFilesNotification, type InitializeParams } from "vscode-languageserver"
import { type Choices, makeProjects, projectOf } from "./internal/projects.ts"
import { serveDocuments, type ServerOptions } from "./internal/serveDocuments.ts"
import type { LanguageHost } from "./LanguageHost.ts"
import type { ProjectHost } from "./ProjectHost.ts"

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
export const serve = (connection: Connection, host: LanguageHost, options: ServerOptions = {}): void => {
  let choices: Choices = {}
  let folders: ReadonlyArray<string> = []
  let watchesFiles = false
  const projects = makeProjects(
    inFolders(host, () => folders),
    () => choices,
  )
  const { client, filesChanged, reset } = serveDocuments(connection, options, {
    projects,
    files: host,
    resultsOf: () => undefined,
    onInitialize: (params) => {
      choices = choicesIn(params.initializationOptions)
      folders = foldersIn(params)
    },
  })
  const choose = (settings: unknown): void => {
    const next = choicesIn(settings)
    if (next.environment === choices.environment) return
    choices = next
    reset()
  }
  const askSettings = async (): Promise<void> => {
    try {
      choose(await connection.workspace.getConfiguration("dotrpc"))
    } catch {
      connection.console.warn("the client did not send its settings; the defaults apply")
    }
  }
  const watchFiles = async (): Promise<void> => {
    try {
      await connection.client.register(DidChangeWatchedFilesNotification.type, {
        watchers: ["**/*.json", "**/.env", "**/*.rpc"].map((globPattern) => ({ globPattern })),
      })
      watchesFiles = true
    } catch {
      connection.console.warn("the client does not watch files: save a file to reload rpc.config.json")
    }
  }
  const hearOfFolders = (): void => {
    connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
      const gone = new Set(removed.map((folder) => folder.uri))
      folders = [...folders.filter((uri) => !gone.has(uri)), ...added.map((folder) => folder.uri)]
      reset()
    })
  }
  connection.onInitialized(async () => {
    const able = client()
    if (able.tellsOfFolders) hearOfFolders()
    if (able.watchesFiles) await watchFiles()
    if (able.answersConfiguration) await askSettings()
  })
  connection.onDidChangeConfiguration(async ({ settings }) => {
    if (client().answersConfiguration) await askSettings()
    else choose(memberOf(settings, "dotrpc"))
  })
  connection.onDidChangeWatchedFiles(({ changes }) =>
    changes.every(({ uri }) => uri.endsWith(".rpc")) ? filesChanged() : reset(),
  )

  connection.onDidSaveTextDocument(() => {
    // A client that watches no files may have written the configuration in the meantime.
    if (!watchesFiles) reset()
  })
  connection.listen()
}

/**
 * Serves a connection to a program that reads its projects itself, such as an editor's extension in the same process:
 * nothing is read twice, and results of runs are known.
 */
export const serveProjects = (connection: Connection, host: ProjectHost, options: ServerOptions = {}): void => {
  const projects = {
    of: async (document: string) => projectOf(await host.project(document)),
    reset: () => undefined,
  }
  const { reset } = serveDocuments(connection, options, {
    projects,
    files: { readFile: () => Promise.resolve(undefined), ...host },
    resultsOf: host.results ?? (() => undefined),
    onInitialize: () => undefined,
  })
  host.onDidChange?.(reset)
  connection.listen()
}

/** A document that is not a file yet belongs to the first folder of the workspace. */
const inFolders = (host: LanguageHost, folders: () => ReadonlyArray<string>): LanguageHost => {
  const placed = (document: string): string => {
    const [folder] = folders()
    return document.startsWith("file:") || folder === undefined ? document : `${folder.replace(/\/$/, "")}/untitled.rpc`
  }
  return {
    ...host,
    findConfig: (document) => host.findConfig(placed(document)),
    variables: (file) => host.variables(placed(file)),
  }
}

const foldersIn = ({ workspaceFolders }: InitializeParams): ReadonlyArray<string> =>
  (workspaceFolders ?? []).map((folder) => folder.uri)

/** Settings come from a person's file: what is not understood counts as not said. */
const choicesIn = (settings: unknown): Choices => {
  const environment = memberOf(settings, "environment")
  return typeof environment === "string" && environment !== "" ? { environment } : {}
}

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined
