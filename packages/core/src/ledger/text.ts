/** The state of a ledger as a small JSON text, with a checksum: what stores keep. */
import * as Schema from "effect/Schema"
import { RpcReason } from "@dotrpc/spec"
import { nothing, type State } from "./rule.ts"

export const encode = (state: State): string => {
  const text = JSON.stringify(state)
  return `{"format":${format},"checksum":${checksumOf(text)},"state":${text}}\n`
}

/** Where there is no text the ledger begins. `place` is what messages call it, `repair` what its user does about damage. */
export const decode = (
  text: string | undefined,
  place: string,
  repair = setByHand,
): State | RpcReason.LedgerUnavailable => {
  if (text === undefined) return nothing
  const [, written, checksum, state = ""] =
    /^\{"format":(\d+),"checksum":(\d+),"state":(\{.*\})\}\s*$/s.exec(text) ?? []
  if (Number(written) > format)
    return new RpcReason.LedgerUnavailable({
      why: `${place} was written by a newer version of dotrpc`,
      advice: "Update dotrpc, or use another ledger.",
      retryable: false,
    })
  if (Number(checksum) === checksumOf(state)) {
    const decoded = decodeState(state)
    if (decoded._tag === "Some") return decoded.value
  }
  return new RpcReason.LedgerUnavailable({
    why: `${place} is damaged or of an earlier version, so nobody knows what was spent`,
    advice: repair,
    retryable: false,
  })
}

const setByHand =
  "Set the credits spent today with `dotrpc credits set SPENT`; the provider's dashboard shows them. Nothing is sent until then."

/** Of what is written here; another one that is read was written by a later version. */
const format = 1

/** A checksum that changes when one character differs (FNV-1a, 32 bits). */
const checksumOf = (text: string): number => {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return sum >>> 0
}

const StateOfText = Schema.fromJsonString(
  Schema.Struct({
    time: Schema.optional(Schema.Struct({ latest: Schema.Finite, doubt: Schema.optional(Schema.Finite) })),
    charges: Schema.Array(
      Schema.Struct({ day: Schema.Int, network: Schema.String, method: Schema.String, credits: Schema.Finite }),
    ),
    leases: Schema.Array(
      Schema.Struct({ owner: Schema.String, credits: Schema.Finite, until: Schema.Finite, number: Schema.Finite }),
    ),
    uses: Schema.optional(
      Schema.Array(
        Schema.Struct({
          hour: Schema.Finite,
          by: Schema.String,
          file: Schema.optional(Schema.String),
          credits: Schema.Finite,
        }),
      ),
    ),
    second: Schema.optional(Schema.Struct({ second: Schema.Finite, credits: Schema.Finite })),
  }),
)
const decodeState = Schema.decodeUnknownOption(StateOfText)
