/** Where a gateway of the terminal keeps the balances of its keys: in a folder of the user's by default. */
import type { Balances } from "@dotrpc/gateway"
import { fileBalances } from "@dotrpc/gateway/server"
import { ExitCode } from "@dotrpc/runner"
import { Effect } from "effect"
import { CommandFailed } from "./CommandFailed.ts"
import { Host, pathOf } from "./Host.ts"
import { userFile } from "./UserData.ts"

/**
 * The balances that `--balances` asks for; `undefined` for those in the gateway's own memory. A key that the gateway makes is
 * gone with it, so nothing is kept for it unless a folder is named.
 */
export const gatewayBalances = Effect.fnUntraced(function* (
  place: string | undefined,
  keys: ReadonlyArray<string>,
): Effect.fn.Return<Balances | undefined, CommandFailed, Host> {
  if (place !== undefined && (place === "" || /^(:|file:)/.test(place)))
    return yield* new CommandFailed({
      lines: [`--balances: expected the path of a folder, got "${place}"; use --balances memory to keep none`],
      exitCode: ExitCode.invalid,
    })
  if (place === "memory" || (place === undefined && keys.length === 0)) return undefined
  const host = yield* Host
  const path = place === undefined ? userFile(host, "gateway") : pathOf(host, place)
  return yield* fileBalances({ path }).pipe(
    Effect.mapError(
      ({ why }) =>
        new CommandFailed({
          lines: [why, "Or keep them elsewhere: --balances FOLDER, --balances memory, --redis URL"],
          exitCode: ExitCode.failed,
        }),
    ),
  )
})
