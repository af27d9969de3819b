/**
 * What was paid for of blocks that are read in parts: which parts were refused, and what the others held. A block that is
 * divided once more goes the same way by it, and sends only what was not answered before.
 */
import type { Json } from "@dotrpc/spec"
import { Effect } from "effect"
import type { PartPath, Piece } from "./Piece.ts"

/** A part that was too large. */
export interface RefusedPart {
  readonly block: number
  readonly path: PartPath
  /** What the server said. */
  readonly said: string
  /** How many items each of its alternatives had lately, when it was divided in its turn. */
  readonly seen?: ReadonlyArray<number>
}

/** The parts of a scan's blocks, for those who read them. */
export interface KnownParts {
  readonly refused: (block: number, path: PartPath) => RefusedPart | undefined
  readonly answered: (block: number, path: PartPath) => ReadonlyArray<Json.Json> | undefined
  readonly keepRefused: (part: RefusedPart) => Effect.Effect<void>
  readonly keepAnswered: (block: number, path: PartPath, items: ReadonlyArray<Json.Json>) => Effect.Effect<void>
}

/** Parts that are known, by block and path. */
export const makeParts = (refused: ReadonlyArray<RefusedPart>, answered: ReadonlyArray<Piece>) => {
  const refusals = new Map(refused.map((part) => [keyOf(part.block, part.path), part]))
  const answers = new Map<string, { readonly block: number; readonly items: ReadonlyArray<Json.Json> }>()
  for (const { from, items, part } of answered)
    if (part !== undefined) answers.set(keyOf(from, part), { block: from, items })
  return {
    refused: (block: number, path: PartPath) => refusals.get(keyOf(block, path)),
    answered: (block: number, path: PartPath) => answers.get(keyOf(block, path))?.items,
    addRefused: (part: RefusedPart) => void refusals.set(keyOf(part.block, part.path), part),
    addAnswered: (block: number, path: PartPath, items: ReadonlyArray<Json.Json>) =>
      void answers.set(keyOf(block, path), { block, items }),
    /** Refused parts of blocks from this one on; those before it are forgotten. */
    refusedFrom: (next: number): ReadonlyArray<RefusedPart> => {
      for (const [key, { block }] of refusals) if (block < next) refusals.delete(key)
      for (const [key, { block }] of answers) if (block < next) answers.delete(key)
      return [...refusals.values()]
    },
  }
}

const keyOf = (block: number, path: PartPath): string => `${block} ${JSON.stringify(path)}`

/** Nothing is known of any part, and nothing is kept. */
export const noParts: KnownParts = {
  refused: () => undefined,
  answered: () => undefined,
  keepRefused: () => Effect.void,
  keepAnswered: () => Effect.void,
}
