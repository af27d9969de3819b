/** Where the balance of a project is counted: as `rpc.config.json` says, or in this window where that cannot be had. */
import {
  configuredLedger,
  ledgerServer,
  ledgerUrl,
  privatesOfUrl,
  type ProjectConfig,
  type Workspace,
} from "@dotrpc/analysis"
import type { PrivateValue } from "@dotrpc/spec"
import { Redacted } from "effect"

export type LedgerPlace =
  /** In memory; `why` it is not where the configuration wants it. */
  | { readonly kind: "window"; readonly why?: string | undefined }
  | { readonly kind: "file"; readonly path: string }
  /** In what the editor keeps for the workspace; `why` it is not in the user's file. */
  | { readonly kind: "workspace"; readonly why: string }
  | {
      readonly kind: "server"
      readonly url: Redacted.Redacted<string>
      /** What the URL has from outside the project. */
      readonly privates: ReadonlyArray<PrivateValue>
    }
  /** It cannot be known what is left, so nothing may be spent. */
  | { readonly kind: "unknown"; readonly why: string; readonly advice?: string | undefined }

/** The user's ledger file, which terminals share; or why this host has none. */
export type LedgerFile = { readonly path: string } | { readonly missing: string }

export const ledgerPlace = (
  config: ProjectConfig,
  workspace: Pick<Workspace, "env" | "networks" | "secret">,
  file: LedgerFile,
  isTrusted: boolean,
): LedgerPlace => {
  const ledger = configuredLedger(config, workspace)
  if (ledger === "memory") return { kind: "window" }
  if (ledger === "file") {
    return "path" in file ? { kind: "file", path: file.path } : { kind: "workspace", why: file.missing }
  }
  if (ledgerServer(ledger) === "postgres") return { kind: "unknown", ...noPostgres }
  if (!isTrusted)
    return {
      kind: "window",
      why: "the folder is not trusted, so the ledger server of rpc.config.json is not contacted",
    }
  try {
    return { kind: "server", url: ledgerUrl(ledger, workspace), privates: privatesOfUrl(ledger, workspace) }
  } catch (error) {
    return { kind: "unknown", why: error instanceof Error ? error.message : String(error) }
  }
}

/** Its client would make the extension heavier for everybody. */
const noPostgres = {
  why: "the editor cannot use a ledger on a PostgreSQL server",
  advice:
    'Run the request in a terminal with `dotrpc run`, or set "ledger" to the URL of a Redis server or to "file" in rpc.config.json.',
}

/** Two projects with the same key share one count. */
export const keyOf = (place: LedgerPlace): string => {
  switch (place.kind) {
    case "window":
      return "window"
    case "file":
      return `file ${place.path}`
    case "workspace":
      return "workspace"
    case "server":
      return `server ${Redacted.value(place.url)}`
    case "unknown":
      return `unknown ${place.why}`
  }
}

/** Who shares the count, in a sentence for the user. */
export const placeWords = (place: LedgerPlace): string => {
  switch (place.kind) {
    case "window":
      return place.why === undefined
        ? 'Counted in this window. Set "ledger" to "file" in rpc.config.json to share the count with terminals and other windows.'
        : `Counted in this window: ${place.why}.`
    case "file":
      return "Shared with terminals and other windows of this machine."
    case "workspace":
      return `Kept for this workspace: ${place.why}.`
    case "server":
      return "Shared with everyone who uses the same Redis server."
    case "unknown":
      return `Not known: ${place.why}.`
  }
}
