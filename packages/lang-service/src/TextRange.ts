/** Places in a document as editors count them. */
import type { Position } from "@dotrpc/lang"

/** From `start` up to, not including, `end`; lines and UTF-16 characters from zero. */
export interface TextRange {
  readonly start: Position
  readonly end: Position
}
