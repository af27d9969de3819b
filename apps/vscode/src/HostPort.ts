/** What only one of the two extension hosts can do; everything else is shared. */

export interface HostPort {
  /** A variable of the process; the web worker has none. */
  readonly environment: (name: string) => string | undefined
  /** Reads the text of a `.env` file. */
  readonly parseDotEnv: (text: string) => Readonly<Record<string, string | undefined>>
}
