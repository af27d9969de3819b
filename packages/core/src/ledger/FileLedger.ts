/** A ledger in a file: the balance of one user, shared by every terminal, editor window and script. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Options, type RpcReason } from "@dotrpc/spec"
import { checkSpent } from "./amounts.ts"
import { makeFileStore, setSpentAt } from "./fileStore.ts"
import { makeLeased, sharedNames, type SharedOptions, withDefaults } from "./lease.ts"
import { CreditLedger } from "./Ledger.ts"
import type { SetAside } from "./open.ts"
import { eachDay, type Window } from "./window.ts"

export type { SetAside } from "./open.ts"

/** The balance of a ledger in a file, and what is reported about the file. */
export interface FileOptions extends SharedOptions {
  /** Told when the file could not be read and was restored from its second copy; logs a warning by default. */
  readonly onSetAside?: ((notice: SetAside) => Effect.Effect<void>) | undefined
}

/**
 * A ledger in one SQLite file that any number of processes of a machine share. The file and its folder are made when
 * they do not exist, for their owner's eyes only.
 *
 * A process pays calls ahead, 64 of them by default once it is busy, so that most calls touch the file for a few bytes only.
 * What it spends is written down at least every second. When it is killed, what it had used of that counts as spent once its
 * lease has ended: its calls in flight, and two more at most.
 *
 * A new day begins when the wall clock and the time since the machine was started agree that it has. A wall clock that jumps
 * changes nothing, unless it insists for an hour. On macOS and Windows a clock that is ahead begins its day at once, and nothing
 * is lost when it is set right.
 *
 * A second copy beside the file, `….copy`, says what was spent as well. A file that is damaged, gone, older than the copy or of
 * another program is restored from it, and a damaged one is set aside under a name with the time. Where both cannot be read
 * nothing is spent until {@link setSpentInFile} says what was. Anyone who deletes both starts again. A power cut may lose the
 * charges of the last moments.
 *
 * Errors: every operation fails with `LedgerUnavailable` while the file cannot be used: before Node 22.13, in a browser,
 * without permission. The layer fails with `InvalidOptions` on an empty path and on amounts that make no sense.
 *
 * @example
 * ```ts
 * const file = CreditLedger.defaultFile({ platform: process.platform, home: homedir(), env: process.env })
 * const ledger = CreditLedger.layerFile(file, { daily: 3_000_000 })
 * ```
 */
export const layerFile = (
  path: string,
  options: FileOptions = {},
): Layer.Layer<CreditLedger, Options.InvalidOptions> => {
  return Layer.effect(
    CreditLedger,
    Effect.gen(function* () {
      const { chosen, file, onSetAside } = yield* Options.inLayer(() => {
        const file = Options.path("path", path)
        const { onSetAside = logged, ...shared } = Options.members(options, { ...sharedNames, onSetAside: true })
        return { file, chosen: withDefaults(shared, 64), onSetAside: Options.func("onSetAside", onSetAside) }
      })
      const store = yield* Effect.acquireRelease(
        Effect.sync(() => makeFileStore(file, chosen.window, onSetAside)),
        (store) => store.close,
      )
      return yield* makeLeased(store, chosen)
    }),
  )
}

const logged = (notice: SetAside) => Effect.logWarning(notice.message)

/**
 * Sets what was spent today, or in the window of the ledger, instead of what the file and its second copy say, and makes both again when they cannot be read.
 * Calls that are in flight come on top.
 *
 * Errors: `LedgerUnavailable` where no file can be written. Throws a `RangeError` on an empty path, and
 * on what is not a number of credits.
 */
export const setSpentInFile = (
  path: string,
  spent: number,
  window: Window = eachDay,
): Effect.Effect<void, RpcReason.LedgerUnavailable> => {
  checkSpent(spent)
  return setSpentAt(Options.path("path", path), spent, window)
}

/** What decides where programs keep the data of a user. */
export interface Machine {
  /** As Node's `process.platform`. */
  readonly platform: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Where the ledger of a user lies: `dotrpc/credits.sqlite` under `XDG_DATA_HOME`, else under the platform's folder for
 * such data. The terminal and the editor share it.
 */
export const defaultFile = ({ env, home, platform }: Machine): string => {
  const separator = platform === "win32" ? "\\" : "/"
  const under = (folder: string, ...parts: ReadonlyArray<string>) =>
    [folder, ...parts, "dotrpc", "credits.sqlite"].join(separator)
  const chosen = env["XDG_DATA_HOME"]
  // The XDG specification: a path that is not absolute is to be ignored.
  if (chosen !== undefined && /^([/\\]|[A-Za-z]:[/\\])/.test(chosen)) return under(chosen)
  if (platform === "darwin") return under(home, "Library", "Application Support")
  if (platform !== "win32") return under(home, ".local", "share")
  const local = env["LOCALAPPDATA"]
  return local === undefined || local === "" ? under(home, "AppData", "Local") : under(local)
}
