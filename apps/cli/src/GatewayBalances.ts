/** Where a gateway of the terminal keeps the balances of its keys: in the user's file by default. */
import type { Balances } from "@dotrpc/gateway"
import { fileBalances } from "@dotrpc/gateway/server"
import { ExitCode } from "@dotrpc/runner"
import { Effect, type Scope } from "effect"
import { CommandFailed } from "./CommandFailed.ts"
import { Host, pathOf } from "./Host.ts"
import { hasSqlite } from "./BackfillStore.ts"
import { userFile } from "./UserData.ts"

/**
 * The balances that `--balances` asks for; `undefined` for those in the gateway's own memory. A key that the gateway makes is
 * gone with it, so nothing is kept for it unless a file is named.
 */
export const gatewayBalances = Effect.fnUntraced(function* (
  place: string | undefined,
  keys: ReadonlyArray<string>,
): Effect.fn.Return<Balances | undefined, CommandFailed, Host | Scope.Scope> {
  if (place !== undefined && (place === "" || /^(:|file:)/.test(place)))
    return yield* new CommandFailed({
      lines: [`--balances: expected the path of a file, got "${place}"; use --balances memory to keep none`],
      exitCode: ExitCode.invalid,
    })
  if (place === "memory" || (place === undefined && keys.length === 0)) return undefined
  if (place === undefined && !hasSqlite()) {
    yield* Effect.logWarning(
      `balances in a file need Node 22.13 or newer, and this is ${process.version}; without it, balances start at zero on every start`,
    )
    return undefined
  }
  const host = yield* Host
  const path = place === undefined ? userFile(host, "gateway.sqlite") : pathOf(host, place)
  return yield* fileBalances({ path }).pipe(
    Effect.mapError(
      ({ why }) =>
        new CommandFailed({
          lines: [why, "Or keep them elsewhere: --balances FILE, --balances memory, --redis URL"],
          exitCode: ExitCode.failed,
        }),
    ),
  )
})
