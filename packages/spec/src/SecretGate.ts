/**
 * The gate that secrets pass: whatever opens a connection asks it with the destination that it is about to connect to, and with the secrets
 * that it is about to send there.
 */
import type { Redacted } from "effect"
import * as Context from "effect/Context"
import { value as plain } from "effect/Redacted"
import { ofEndpoint, ofServer } from "./Destination.ts"

/** A value from outside the project, by the name that the project has for it. */
export interface PrivateValue {
  readonly kind: "secret" | "env"
  readonly name: string
  readonly value: Redacted.Redacted<string>
}

/** A connection that is about to be opened, or used. */
export interface Opening {
  /** As `Destination` writes it: `https://mainnet.example`. */
  readonly destination: string
  /** What is in the URL, in the headers, or in what is sent. */
  readonly privates: ReadonlyArray<PrivateValue>
}

/** Decides about every connection of a program that sends secrets. */
export interface Gate {
  /** Why nothing is sent there, in words for the user; `undefined` where it may be. */
  readonly refusal: (opening: Opening) => string | undefined
}

/**
 * The gate of a program. Layers take it when they are built. By default everything passes, since a script says itself where its secrets go.
 *
 * @example
 * ```ts
 * const closed = Layer.succeed(SecretGate, { refusal: ({ privates }) => (privates.length === 0 ? undefined : "no secrets here") })
 * const transport = HttpTransport.layer().pipe(Layer.provide(closed))
 * ```
 */
export const SecretGate = Context.Reference<Gate>("@dotrpc/spec/SecretGate", {
  defaultValue: () => ({ refusal: () => undefined }),
})

/** Whether a variable is the host, or the whole URL, of a destination: then its owner has said where to send, and not the project. */
export const saysWhere = ({ kind, value }: PrivateValue, destination: string): boolean => {
  if (kind !== "env") return false
  const text = plain(value).trim()
  const { host, hostname } = new URL(destination)
  return text === host || text === hostname || (ofEndpoint(text) ?? ofServer(text)?.destination) === destination
}
