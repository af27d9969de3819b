/** What the methods of this family have in common, and the form of their documentation. */
import { defineMethod, type Method, type MethodDefinition, Price, type RpcClient, type RpcError } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { checksumWarnings } from "../checksum.ts"
import { classify } from "../classify.ts"
import { withUsualAddresses } from "../schemas/forms.ts"
import { BlockParameter } from "../schemas/BlockParameter.ts"
import { BlockReference } from "../schemas/BlockReference.ts"
import { Address, Hash, Quantity } from "../schemas/Hex.ts"

/** A typed call: an effect that sends the request through the client of its layer. */
export type Call<Result> = Effect.Effect<Result, RpcError, RpcClient>

/** The part of a definition that differs from one method to the next. */
export interface EvmDefinition<Params, Result> extends Omit<
  MethodDefinition<Params, Result>,
  "plugin" | "docs" | "price" | "idempotent" | "positions"
> {
  /** What the method answers, in a sentence or a paragraph of Markdown. */
  readonly returns: string
  /** Each position with what it takes. */
  readonly takes: ReadonlyArray<readonly [label: string, what: string]>
  /** What a user should know about its errors. */
  readonly errors?: string | undefined
  /** The assumed price, 80 credits when absent: the service does not publish one. */
  readonly credits?: number | undefined
  /** True unless given: see `Method`. */
  readonly idempotent?: boolean | undefined
}

export const evmMethod = <Params, Result>(definition: EvmDefinition<Params, Result>): Method<Params, Result> => {
  const { credits = 80, errors, idempotent = true, returns, takes, ...rest } = definition
  const paragraphs = [
    returns,
    takes.length === 0
      ? "Takes no params: `[]`."
      : [
          "| position | params | |",
          "|---|---|---|",
          ...takes.map(([label, what], at) => `| ${at} | ${label} | ${what} |`),
        ].join("\n"),
    ...(rest.writes === true
      ? [
          "**Changes something.** It is sent once, never retried, and left out of a run of several requests unless it is named.",
        ]
      : []),
    ...(errors === undefined ? [] : [`**Errors.** ${errors}`]),
    `**Price.** Not published; assumed to be ${Price.showCredits(credits)}.`,
  ]
  return defineMethod({
    classify,
    read: withUsualAddresses,
    warnings: checksumWarnings,
    ...rest,
    plugin: "evm",
    docs: paragraphs.join("\n\n"),
    positions: takes.map(([label]) => label),
    price: Price.assumed(credits),
    idempotent,
  })
}

/** No params at all. */
export const NoParams = Schema.Tuple([])

const missing = (position: number, what: string) => ({
  messageMissingKey: `position ${position} is missing: ${what}`,
  description: `${what.charAt(0).toUpperCase()}${what.slice(1)}.`,
})

export const addressAt = (position: number, what: string) => Address.annotateKey(missing(position, what))
export const hashAt = (position: number, what: string) => Hash.annotateKey(missing(position, what))
export const indexAt = (position: number, what: string) => Quantity.annotateKey(missing(position, what))

/** Any schema as a position that must be given. */
export const at = <S extends Schema.Top>(schema: S, position: number, what: string) =>
  schema.annotateKey(missing(position, what))

/** Any schema as a position that may be left out at the end. */
export const optionalAt = <S extends Schema.Top>(schema: S, what: string) =>
  Schema.optionalKey(schema).annotateKey({ description: `${what.charAt(0).toUpperCase()}${what.slice(1)}.` })

/** A block whose state is read; `latest` when left out. */
export const stateBlock = optionalAt(BlockReference, "the block whose state is read; `latest` when left out")

/** A block that must be named by a number or a tag. */
export const blockAt = (position: number) =>
  BlockParameter.annotateKey(missing(position, 'the block: a number in hex or a tag such as "latest"'))

/** A block in every way that a block can be named. */
export const referenceAt = (position: number) =>
  BlockReference.annotateKey(missing(position, 'the block: a number in hex, a tag such as "latest", or a hash'))

/** The words of {@link stateBlock} in a table of params. */
export const stateBlockWords = 'optional: a number in hex, a tag, a hash, or `{ "blockHash": … }`; `latest` by default'
export const blockWords = "a number in hex, or `latest`, `earliest`, `pending`, `safe`, `finalized`"
export const referenceWords = 'a number in hex, a tag, a hash, or `{ "blockHash": … }`'
