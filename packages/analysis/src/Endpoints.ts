/** The part of a network that says what is sent where. */
export interface Endpoints {
  /** As it is written, with names of secrets. */
  readonly url?: string | undefined
  readonly wsUrl?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}
