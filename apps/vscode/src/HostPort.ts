/** What the two extension hosts do in different ways; everything else is shared. */
import type { CreditLedger } from "@dotrpc/core"
import type { ImportPlugin } from "@dotrpc/project"
import type * as vscode from "vscode"

import type { provideFeatures } from "./features.ts"

export interface HostPort {
  /** A variable of the process; the web worker has none. */
  readonly environment: (name: string) => string | undefined
  /** Reads the text of a `.env` file. */
  readonly parseDotEnv: (text: string) => Readonly<Record<string, string | undefined>>
  /** The machine whose terminals and windows share a ledger file, or why there is no such file here. */
  readonly ledger: CreditLedger.Machine | { readonly missing: string }
  /** The origin that servers see calls come from, where a browser sends them. */
  readonly page?: string
  /** Imports a project's own plugins from the path of a folder, as they are now, or why that cannot be done here. */
  readonly importPlugins: ((folder: string) => Promise<ImportPlugin>) | { readonly missing: string }
  /** Loads the bundle that holds all features. */
  readonly loadFeatures: (context: vscode.ExtensionContext) => Promise<FeaturesBundle>
}

export interface FeaturesBundle {
  readonly provideFeatures: typeof provideFeatures
}
