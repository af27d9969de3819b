import type { Redacted } from "effect"

/** A value from outside, by the name that the project has for it. */
export interface PrivateValue {
  readonly kind: "secret" | "env"
  readonly name: string
  readonly value: Redacted.Redacted<string>
}
