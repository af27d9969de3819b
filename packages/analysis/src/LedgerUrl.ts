/** The URL of a ledger on a server, as `rpc.config.json` writes it: `redis://:{{$secret.REDIS_PASSWORD}}@host:6379`. */
import { Redacted } from "effect"
import { filledUrl } from "./FilledUrl.ts"
import type { Workspace } from "./Workspace.ts"

/** Fills in secrets and variables. Throws an `Error` in words for the user when one of them is not set. */
export const ledgerUrl = (ledger: string, values: Pick<Workspace, "env" | "secret">): Redacted.Redacted<string> =>
  filledUrl(ledger, "the URL of the ledger", values)

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
