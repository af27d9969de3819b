/** The call settings of a fiber as a string: calls with other settings are not the same call. */
import type { Fiber } from "effect"
import { NarrowsOnTimeout, RequestTimeout, RetryTimes, TransportKind } from "../CallSettings.ts"
import { Priority } from "../Priority.ts"
import { millisOf } from "./elapsed.ts"

export const settingsOf = (fiber: Fiber.Fiber<unknown, unknown>): string => {
  const timeout = fiber.getRef(RequestTimeout)
  const millis = timeout === undefined ? "" : millisOf(timeout)
  const narrows = fiber.getRef(NarrowsOnTimeout)
  return `${fiber.getRef(Priority)},${fiber.getRef(TransportKind) ?? ""},${millis},${fiber.getRef(RetryTimes) ?? ""},${narrows}\n`
}
