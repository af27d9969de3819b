/** The limits of a backfill that need no real clock: in all, of each hour and of each day. */
import { expect, it } from "vitest"
import { playLimits } from "./limits.ts"

it("workers keep all limits together, also when one is killed, wait for midnight, and go on by themselves", async () =>
  expect(await playLimits()).toEqual([]))
