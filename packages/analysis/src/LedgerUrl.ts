/** The URL of a ledger on a server, as `rpc.config.json` writes it: `redis://:{{$secret.REDIS_PASSWORD}}@host:6379`. */
import { Redacted } from "effect"
import { filledUrl } from "./FilledUrl.ts"
import type { ProjectConfig } from "./ProjectConfig.ts"
import type { Workspace } from "./Workspace.ts"

/** Fills in secrets and variables. Throws an `Error` in words for the user when one of them is not set. */
export const ledgerUrl = (ledger: string, values: Pick<Workspace, "env" | "secret">): Redacted.Redacted<string> =>
  filledUrl(ledger, "the URL of the ledger", values)

/**
 * Where a project counts credits: where its configuration says, else in the user's file. Networks of the built-in gateway begin
 * again with each run, so a project of these alone counts in memory.
 */
export const configuredLedger = (
  { environments = {}, ledger, networks }: ProjectConfig,
  workspace: Pick<Workspace, "networks">,
): string => {
  if (ledger !== undefined) return ledger
  const configured = [networks, ...Object.values(environments).map((environment) => environment.networks)]
  const urls = [
    ...configured.flatMap((of = {}) => Object.values(of).flatMap(({ url = [] }) => url)),
    ...workspace.networks.flatMap(({ network: { url } }) => (url === undefined ? [] : [Redacted.value(url)])),
  ]
  return urls.every((url) => url.startsWith("embedded:")) ? "memory" : "file"
}

/** What kind of server a ledger is on, by its URL. */
export type LedgerServer = "postgres" | "redis"

/**
 * The kind of server of a ledger's URL, as `rpc.config.json` writes it or with its secrets filled in.
 *
 * @example
 * ```ts
 * ledgerServer("postgres://db.example/team") // "postgres"
 * ```
 */
export const ledgerServer = (url: string | Redacted.Redacted<string>): LedgerServer =>
  /^postgres(?:ql)?:/.test(Redacted.isRedacted(url) ? Redacted.value(url) : url) ? "postgres" : "redis"
