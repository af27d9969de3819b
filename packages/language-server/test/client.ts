/** A client and a server in one process, speaking the protocol over streams. */
import { offsetAt, positionAt } from "@dotrpc/lang/locate"
import { makeSession, type Project, type Session, type SessionHost } from "@dotrpc/session"
import { PassThrough } from "node:stream"
import {
  type ClientCapabilities,
  ConfigurationRequest,
  createConnection,
  createProtocolConnection,
  type Diagnostic,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  InitializedNotification,
  InitializeRequest,
  type InitializeResult,
  LogMessageNotification,
  type Position,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  RegistrationRequest,
  ShowMessageNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type TextEdit,
} from "vscode-languageserver/node"
import { serve, type ServerOptions, serveSession, type SharedSession } from "../src/index.ts"
import { type Files, makeHost } from "./host.ts"

export interface Client {
  readonly connection: ProtocolConnection
  readonly initialized: InitializeResult
  readonly open: (text: string, uri?: string) => Promise<void>
  readonly change: (
    uri: string,
    version: number,
    changes: ReadonlyArray<{ range?: TextEdit["range"]; text: string }>,
  ) => Promise<void>
  /** The next diagnostics that are sent for a document. */
  readonly published: (uri: string) => Promise<ReadonlyArray<Diagnostic>>
  /** Everything the server logged. */
  readonly log: ReadonlyArray<string>
  /** Everything the server had shown to the person. */
  readonly shown: ReadonlyArray<string>
  /** Globs of files the server wants to watch. */
  readonly watched: () => Promise<ReadonlyArray<string>>
  readonly close: () => Promise<void>
}

/** Projects that their host has read. */
export interface SharedProjects extends Omit<SharedSession, "session"> {
  /** The session that is served, instead of the one of the projects. */
  readonly sessionOver?: (session: Session) => Session
  readonly project: (document: string) => Promise<Project>
}

export interface ClientOptions {
  readonly capabilities?: ClientCapabilities
  readonly files?: Files
  readonly host?: SessionHost
  /** Serves these projects instead of those of files. */
  readonly projects?: SharedProjects
  readonly server?: ServerOptions
  readonly initializationOptions?: unknown
  readonly settings?: unknown
  readonly folders?: ReadonlyArray<string>
}

export const file = "file:///project/a.rpc"

export const connect = async (options: ClientOptions = {}): Promise<Client> => {
  const toServer = new PassThrough()
  const toClient = new PassThrough()
  const served = createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient))
  const serverOptions = { version: "1.2.3", quietMillis: 0, ...options.server }
  if (options.projects === undefined) serve(served, options.host ?? makeHost(options.files ?? {}), serverOptions)
  else {
    const { project, sessionOver, ...shared } = options.projects
    const session = makeSession({ loaded: project }, { readFile: () => Promise.resolve(undefined) })
    serveSession(served, { session: sessionOver?.(session) ?? session, ...shared }, serverOptions)
  }
  const connection = createProtocolConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer))
  const log: Array<string> = []
  const shown: Array<string> = []
  const waiting = new Map<string, Array<(diagnostics: ReadonlyArray<Diagnostic>) => void>>()
  const registered = deferred<ReadonlyArray<string>>()
  connection.onNotification(LogMessageNotification.type, ({ message }) => void log.push(message))
  connection.onNotification(ShowMessageNotification.type, ({ message }) => void shown.push(message))
  connection.onNotification(PublishDiagnosticsNotification.type, ({ diagnostics, uri }) => {
    for (const resolve of waiting.get(uri)?.splice(0) ?? []) resolve(diagnostics)
  })
  connection.onRequest(RegistrationRequest.type, ({ registrations }) => {
    registered.resolve(registrations.flatMap(({ registerOptions }) => globsOf(registerOptions)))
  })
  connection.onRequest(ConfigurationRequest.type, ({ items }) => items.map(() => options.settings ?? null))
  connection.listen()
  const initialized = await connection.sendRequest(InitializeRequest.type, {
    processId: null,
    rootUri: null,
    capabilities: options.capabilities ?? {},
    workspaceFolders: (options.folders ?? ["file:///project"]).map((uri) => ({ uri, name: uri })),
    initializationOptions: options.initializationOptions,
  })
  await connection.sendNotification(InitializedNotification.type, {})
  return {
    connection,
    initialized,
    open: (text, uri = file) =>
      connection.sendNotification(DidOpenTextDocumentNotification.type, {
        textDocument: { uri, languageId: "rpc", version: 1, text },
      }),
    change: (uri, version, changes) =>
      connection.sendNotification(DidChangeTextDocumentNotification.type, {
        textDocument: { uri, version },
        contentChanges: changes.map(({ range, text }) => (range === undefined ? { text } : { range, text })),
      }),
    published: (uri) =>
      new Promise((resolve) => {
        waiting.set(uri, [...(waiting.get(uri) ?? []), resolve])
      }),
    log,
    shown,
    watched: () => registered.promise,
    close: async () => {
      await connection.sendRequest(ShutdownRequest.type)
      connection.dispose()
    },
  }
}

export interface Deferred<Value> {
  readonly promise: Promise<Value>
  readonly resolve: (value: Value) => void
}

export const deferred = <Value>(): Deferred<Value> => {
  let resolve: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((fulfil) => {
    resolve = fulfil
  })
  return { promise, resolve: (value) => resolve(value) }
}

/** A text and the position of its `|`. */
export const marked = (text: string): { readonly text: string; readonly position: Position } => {
  const offset = text.indexOf("|")
  const whole = text.slice(0, offset) + text.slice(offset + 1)
  return { text: whole, position: positionAt(whole, offset) }
}

export const applyEdits = (text: string, edits: ReadonlyArray<TextEdit>): string =>
  edits
    .toSorted((left, right) => offsetAt(text, right.range.start) - offsetAt(text, left.range.start))
    .reduce(
      (current, { newText, range }) =>
        current.slice(0, offsetAt(text, range.start)) + newText + current.slice(offsetAt(text, range.end)),
      text,
    )

const globsOf = (options: unknown): ReadonlyArray<string> => {
  const watchers: unknown = typeof options === "object" && options !== null ? Reflect.get(options, "watchers") : []
  return Array.isArray(watchers) ? watchers.map((watcher: { globPattern: string }) => watcher.globPattern) : []
}
