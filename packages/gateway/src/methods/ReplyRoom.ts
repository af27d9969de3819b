/**
 * How much the replies to one body may still grow. A short batch can ask for many long replies, and all of them are in memory
 * until the last one is there.
 */
import type { Json } from "@dotrpc/spec"
import { Result } from "effect"
import { textSize } from "../internal/textSize.ts"
import { busy, type Fault, faultJson, tooLarge } from "./Fault.ts"

export interface ReplyRoom {
  /** Why nothing more is answered; `undefined` while there is room. */
  readonly full: () => Fault | undefined
  /** The answer, or a fault in its place when there is no room for it. */
  readonly admit: (answer: Result.Result<Json.Json, Fault>) => Result.Result<Json.Json, Fault>
}

/** A reply is there as a text of its own, and again as part of the whole. */
export const BYTES_PER_CHARACTER = 2

/** `take` is asked for the memory of each part; false refuses it. */
export const replyRoom = (limit: number, take: (bytes: number) => boolean): ReplyRoom => {
  let used = 0
  let full: Fault | undefined
  return {
    full: () => full,
    admit: (answer) => {
      const value = Result.isSuccess(answer) ? answer.success : faultJson(answer.failure)
      if (full === undefined) {
        const size = textSize(value, limit - used)
        if (used + size > limit) full = tooLarge(limit)
        else if (!take(BYTES_PER_CHARACTER * size)) full = busy
        else used += size
      }
      return full === undefined ? answer : Result.fail(full)
    },
  }
}
