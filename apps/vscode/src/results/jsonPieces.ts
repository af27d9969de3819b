/**
 * A result as indented JSON text, a few items at a time: a long text is never written in one go.
 *
 * Invariant: the joined pieces are what `Json.stringify` writes.
 */
import { Json, Visible } from "@dotrpc/spec"

import { chunksOf, longestChunk } from "../run/chunks.ts"

export function* jsonPieces(value: Json.Json): Generator<string> {
  if (!holdsLongList(value)) yield Json.stringify(value, indent)
  else if (Json.isArray(value)) yield* listPieces(value)
  else if (Json.isObject(value)) yield* objectPieces(value)
}

/** As {@link jsonPieces}, with what nobody sees as escapes. */
export function* visiblePieces(value: Json.Json): Generator<string> {
  for (const piece of jsonPieces(value)) yield Visible.json(piece)
}

const indent = 2

/** Deeper lists are as long as one reply makes them, and are written with what holds them. */
const holdsLongList = (value: Json.Json): boolean =>
  isLong(value) || (Json.isObject(value) && Object.values(value).some(isLong))

const isLong = (value: Json.Json): boolean => Json.isArray(value) && value.length > longestChunk

function* listPieces(items: ReadonlyArray<Json.Json>): Generator<string> {
  let before = "[\n"
  for (const chunk of chunksOf(items)) {
    yield before + Json.stringify(chunk, indent).slice("[\n".length, -"\n]".length)
    before = ",\n"
  }
  yield "\n]"
}

function* objectPieces(value: Json.JsonObject): Generator<string> {
  const margin = " ".repeat(indent)
  let before = "{\n"
  for (const [name, member] of Object.entries(value)) {
    yield `${before}${margin}${JSON.stringify(name)}: `
    // No text in JSON holds a line break of its own.
    for (const piece of jsonPieces(member)) yield piece.replaceAll("\n", `\n${margin}`)
    before = ",\n"
  }
  yield "\n}"
}
