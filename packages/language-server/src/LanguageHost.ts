/** What the server needs of the place it runs in: files, variables and secrets. Addresses of files are URIs. */
import type { Plugin } from "@dotrpc/spec"
import type { FileHost } from "./FileHost.ts"

export interface LanguageHost extends FileHost {
  /** The plugins of a configuration by name, and what is wrong with the list. */
  readonly plugins: (names: ReadonlyArray<string> | undefined) => {
    readonly plugins: ReadonlyArray<Plugin>
    readonly problems: ReadonlyArray<string>
  }
  /** The `rpc.config.json` nearest to a document, upward from its folder. */
  readonly findConfig: (document: string) => Promise<string | undefined>
  /** What a project may name as `$env` and `$secret`; `file` is its configuration, else the document. */
  readonly variables: (file: string) => Promise<HostVariables>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

export interface HostVariables {
  readonly env: (name: string) => string | undefined
  /** Defaults to `env`. The server never shows what it returns. */
  readonly secret?: (name: string) => string | undefined
  /** Names to offer; others may be used as well. */
  readonly envNames: ReadonlyArray<string>
  readonly secretNames: ReadonlyArray<string>
}
