/**
 * The language service behind the Language Server Protocol.
 *
 * Invariant: nothing here calls a network or runs a request; a secret's value never leaves the host's `variables`.
 */
import {
  type Connection,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
} from "vscode-languageserver"
import { makeAnswer } from "./internal/answers.ts"
import { capabilitiesFor, clientOf } from "./internal/capabilities.ts"
import { makeDiagnosticReports } from "./internal/diagnostics.ts"
import { makeDocuments } from "./internal/documents.ts"
import { answerFeatures } from "./internal/features.ts"
import { type Choices, makeProjects } from "./internal/projects.ts"
import type { LanguageHost } from "./LanguageHost.ts"

export interface ServerOptions {
  readonly version?: string
  /** Milliseconds without typing before diagnostics are sent to a client that does not ask for them. */
  readonly quietMillis?: number
}

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
  let client = clientOf({})
  let choices: Choices = {}
  let folders: ReadonlyArray<string> = []

  const projects = makeProjects(
    inFolders(host, () => folders),
    () => choices,
  )
  const documents = makeDocuments(projects)
  const answer = makeAnswer(connection, documents)
  const reports = makeDiagnosticReports(connection, documents, answer, () => client, options.quietMillis ?? 200)
  const reset = (): void => {
    projects.reset()
    reports.reset()
  }
  const choose = (settings: unknown): void => {
    const next = choicesIn(settings)
    if (next.environment === choices.environment) return
    choices = next
    reset()
  }

  connection.onInitialize((params): InitializeResult => {
    client = clientOf(params.capabilities)
    choices = choicesIn(params.initializationOptions)
    folders = foldersIn(params)
    return {
      capabilities: capabilitiesFor(client),
      serverInfo: { name: "dotrpc", ...(options.version === undefined ? {} : { version: options.version }) },
    }
  })
  const askSettings = async (): Promise<void> => {
    try {
      choose(await connection.workspace.getConfiguration("dotrpc"))
    } catch {
      connection.console.warn("the client did not answer what its settings are; the defaults apply")
    }
  }
  const watchFiles = async (): Promise<void> => {
    try {
      await connection.client.register(DidChangeWatchedFilesNotification.type, {
        watchers: [{ globPattern: "**/rpc.config.json" }, { globPattern: "**/.env" }],
      })
    } catch {
      connection.console.warn("the client watches no files: save a file to have rpc.config.json read again")
      client = { ...client, watchesFiles: false }
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
    if (client.tellsOfFolders) hearOfFolders()
    if (client.watchesFiles) await watchFiles()
    if (client.answersConfiguration) await askSettings()
  })
  connection.onDidChangeConfiguration(async ({ settings }) => {
    if (client.answersConfiguration) await askSettings()
    else choose(memberOf(settings, "dotrpc"))
  })
  connection.onDidChangeWatchedFiles(reset)

  connection.onDidOpenTextDocument(({ textDocument }) => {
    documents.open(textDocument.uri, textDocument.text)
    reports.changed(textDocument.uri)
  })
  connection.onDidChangeTextDocument(({ contentChanges, textDocument }) => {
    documents.change(textDocument.uri, contentChanges)
    reports.changed(textDocument.uri)
  })
  connection.onDidSaveTextDocument(() => {
    // A client that watches no files may have written the configuration in the meantime.
    if (!client.watchesFiles) reset()
  })
  connection.onDidCloseTextDocument(({ textDocument }) => {
    documents.close(textDocument.uri)
    reports.closed(textDocument.uri)
  })
  connection.onShutdown(reports.dispose)

  answerFeatures(answer, () => client)
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
