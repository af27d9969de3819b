/** The address of a ledger on a server, as `rpc.config.json` writes it: `redis://:{{$secret.REDIS_PASSWORD}}@host:6379`. */
import { Redacted } from "effect"
import type { Workspace } from "./Workspace.ts"

/** Fills in secrets and variables. Throws an `Error` in words for the user when one of them is not set. */
export const ledgerAddress = (
  ledger: string,
  { env, secret }: Pick<Workspace, "env" | "secret">,
): Redacted.Redacted<string> =>
  Redacted.make(
    ledger.replace(/\{\{\s*\$(secret|env)\.(\w+)\s*\}\}/g, (_, kind: string, name: string) => {
      const found = kind === "secret" ? secret(name) : undefined
      const value = found === undefined ? env(name) : Redacted.value(found)
      if (value === undefined) throw new Error(`the ledger's address needs ${name}, which is not set`)
      return encodeURIComponent(value)
    }),
  )
