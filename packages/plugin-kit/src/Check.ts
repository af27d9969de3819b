/** A check of a plugin, and its inputs. */
import type { Network } from "@dotrpc/spec"

/** One promise of a plugin. */
export interface Check {
  /** A sentence: `eth_getLogs: every example may be sent and survives the wire`. */
  readonly name: string
  /** Throws an `Error` that says what is wrong when the promise is not kept. */
  readonly run: () => void
}

/** What a plugin is checked with. */
export interface ConformanceOptions {
  /** Networks to look at besides the plugin's own presets. */
  readonly networks?: ReadonlyArray<Network> | undefined
  /** Golden files: see `parseGolden`. */
  readonly goldens?: ReadonlyArray<GoldenFile> | undefined
  /** How many random values each law is tried with; 200 by default. */
  readonly runs?: number | undefined
  /** Another seed gives other random values. The same seed gives the same ones on every run. */
  readonly seed?: number | undefined
}

/** A golden file: its name and its text. */
export interface GoldenFile {
  readonly name: string
  readonly text: string
}

/** What the groups of checks need: the options, complete. */
export type Settings = { readonly [Name in keyof ConformanceOptions]-?: NonNullable<ConformanceOptions[Name]> }
