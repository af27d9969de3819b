/**
 * What was paid for of blocks that are read in parts: which parts were refused, and what the others held. A block that is
 * divided once more goes the same way by it, and sends only what was not answered before.
 */
import type { Json } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
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

/** Parts that are known, by block and path, as a value. */
export interface Parts {
  readonly refused: ReadonlyMap<string, RefusedPart>
  readonly answered: HashMap.HashMap<string, Answered>
}

interface Answered {
  readonly block: number
  readonly items: ReadonlyArray<Json.Json>
}

export const from = (refused: ReadonlyArray<RefusedPart>, answered: ReadonlyArray<Piece>): Parts => ({
  refused: new Map(refused.map((part) => [keyOf(part.block, part.path), part])),
  answered: HashMap.fromIterable(
    answered.flatMap(({ from, items, part }) =>
      part === undefined ? [] : [[keyOf(from, part), { block: from, items }] as const],
    ),
  ),
})

export const refusedAt = ({ refused }: Parts, block: number, path: PartPath): RefusedPart | undefined =>
  refused.get(keyOf(block, path))

export const answeredAt = ({ answered }: Parts, block: number, path: PartPath): ReadonlyArray<Json.Json> | undefined =>
  Option.getOrUndefined(HashMap.get(answered, keyOf(block, path)))?.items

export const addRefused = (parts: Parts, part: RefusedPart): Parts => ({
  ...parts,
  refused: new Map(parts.refused).set(keyOf(part.block, part.path), part),
})

export const addAnswered = (parts: Parts, block: number, path: PartPath, items: ReadonlyArray<Json.Json>): Parts => ({
  ...parts,
  answered: HashMap.set(parts.answered, keyOf(block, path), { block, items }),
})

/** Without the parts of blocks before this one. */
export const since = ({ answered, refused }: Parts, next: number): Parts => ({
  refused: new Map([...refused].filter(([, { block }]) => block >= next)),
  answered: HashMap.filter(answered, ({ block }) => block >= next),
})

const keyOf = (block: number, path: PartPath): string => `${block} ${JSON.stringify(path)}`
