/** The URL of a ledger on a server, as `rpc.config.json` writes it: `redis://:{{$secret.REDIS_PASSWORD}}@host:6379`. */
import type { Redacted } from "effect"
import { filledUrl } from "./FilledUrl.ts"
import type { Workspace } from "./Workspace.ts"

/** Fills in secrets and variables. Throws an `Error` in words for the user when one of them is not set. */
export const ledgerUrl = (ledger: string, values: Pick<Workspace, "env" | "secret">): Redacted.Redacted<string> =>
  filledUrl(ledger, "the URL of the ledger", values)
