/** A ledger in a file: the balance of one user, shared by every terminal, editor window and script. */
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { Options, type RpcReason } from "@dotrpc/spec"
import { makeFileCell } from "./fileCell.ts"
import { sharedNames, type SharedOptions } from "./lease.ts"
import type { CreditLedger } from "./Ledger.ts"
import { layerOver, setSpentIn } from "./opened.ts"
import { type LedgerCells, storeOver } from "./store.ts"
import { checkWindow, eachDay, type Window } from "./window.ts"

/**
 * A ledger in one small JSON file that any number of processes of a machine share. The file and its folder are made when
 * they do not exist, for their owner's eyes only.
 *
 * A process leases credits from it: for one call at first, and for up to sixteen while it is busy, so that most calls touch no
 * file. What it spends is written down at least every second, and what it does not use is returned. When it is killed, its lease
 * counts as spent once that has ended.
 *
 * Days go by the machine's clock. One that is ahead begins its day at once, and nothing is lost when it is set right; one that is set
 * back brings nothing back, and is believed after an hour.
 *
 * A file that is damaged spends nothing until {@link setSpentInFile} says what was. Anyone who deletes it starts again. A power
 * cut may lose the charges of the last moments.
 *
 * Errors: every operation fails with `LedgerUnavailable` while the file cannot be used: damaged, in a browser, without
 * permission. The layer fails with `InvalidOptions` on an empty path and on amounts that make no sense.
 *
 * @example
 * ```ts
 * const file = CreditLedger.defaultFile({ platform: process.platform, home: homedir(), env: process.env })
 * const ledger = CreditLedger.layerFile(file, { daily: 3_000_000 })
 * ```
 */
export const layerFile = (
  path: string,
  options: SharedOptions = {},
): Layer.Layer<CreditLedger, Options.InvalidOptions> =>
  layerOver(options, () => {
    const file = Options.path("path", path)
    const { window = eachDay } = Options.members(options, sharedNames)
    return Effect.succeed(storeOver(fileCells(file, checkWindow(window)), window))
  })

const fileCells = (path: string, window: Window): LedgerCells => ({
  ledger: makeFileCell(path, window),
  pace: makeFileCell(`${path}.pace`, window, { survivesPowerCuts: false }),
})

/**
 * Sets what was spent today, or in the window of the ledger, instead of what the file says, and makes it again when it cannot be
 * read. Calls that are in flight come on top.
 *
 * Errors: `LedgerUnavailable` where no file can be written. Throws a `RangeError` on an empty path, and
 * on what is not a number of credits.
 */
export const setSpentInFile = (
  path: string,
  spent: number,
  window: Window = eachDay,
): Effect.Effect<void, RpcReason.LedgerUnavailable> => {
  const file = Options.path("path", path)
  return setSpentIn(() => Effect.succeed(storeOver(fileCells(file, window), window)), spent)
}

/** What decides where programs keep the data of a user. */
export interface Machine {
  /** As Node's `process.platform`. */
  readonly platform: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Where the ledger of a user lies: `dotrpc/credits.json` under `XDG_DATA_HOME`, else under the platform's folder for
 * such data. The terminal and the editor share it.
 */
export const defaultFile = ({ env, home, platform }: Machine): string => {
  const separator = platform === "win32" ? "\\" : "/"
  const under = (folder: string, ...parts: ReadonlyArray<string>) =>
    [folder, ...parts, "dotrpc", "credits.json"].join(separator)
  const chosen = env["XDG_DATA_HOME"]
  // The XDG specification: a path that is not absolute is to be ignored.
  if (chosen !== undefined && /^([/\\]|[A-Za-z]:[/\\])/.test(chosen)) return under(chosen)
  if (platform === "darwin") return under(home, "Library", "Application Support")
  if (platform !== "win32") return under(home, ".local", "share")
  const local = env["LOCALAPPDATA"]
  return local === undefined || local === "" ? under(home, "AppData", "Local") : under(local)
}
