/** The time of a balance over clocks that jump, stand still and start again. */
import { runs } from "@dotrpc/vitest/depth"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { type AgreedTime, agreeOn, type ClockReading, daysOf } from "../src/AgreedTime.ts"

const noon = Date.UTC(2026, 10, 21, 12)

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const uptime = 5 * hour
const boot = "this start"

/** What is agreed after these readings, as what passed since noon by each clock: when it is, and from which day it counts. */
const check = (
  name: string,
  readings: ReadonlyArray<Partial<ClockReading> & { readonly wall: number; readonly uptime: number }>,
  expected: { readonly time: number; readonly since: number; readonly day: number },
) =>
  it(name, () => {
    let time: AgreedTime | undefined
    let wall = noon
    for (const reading of [{ wall: 0, uptime: 0 }, ...readings]) {
      wall = noon + reading.wall
      time = agreeOn(time, { boot, ...reading, wall, uptime: uptime + reading.uptime })
    }
    assert.isDefined(time)
    const today = Math.floor(noon / day)
    const days = daysOf(time, wall)
    assert.deepStrictEqual({ time: time.time - noon, since: days.since - today, day: days.day - today }, expected)
  })

describe("the time of a balance", () => {
  check("moves with both clocks", [{ wall: hour, uptime: hour }], { time: hour, since: 0, day: 0 })
  check("follows a clock that is set right by a little", [{ wall: hour + 50, uptime: hour }], {
    time: hour + 50,
    since: 0,
    day: 0,
  })
  check("moves on at once after a machine slept for weeks", [{ wall: 20 * day, uptime: 20 * day }], {
    time: 20 * day,
    since: 20,
    day: 20,
  })
  check("moves on at once after a machine was off for weeks", [{ wall: 20 * day, uptime: -hour, boot: "the next" }], {
    time: 20 * day,
    since: 20,
    day: 20,
  })
  check(
    "does not take a reading that waited for its turn for one of another start",
    [{ wall: 10 * day, uptime: -second }],
    {
      time: 0,
      since: 0,
      day: 10,
    },
  )
  check("moves on at once where the system does not name its starts", [{ wall: 20 * day, uptime: hour, boot: "" }], {
    time: 20 * day,
    since: 20,
    day: 20,
  })
  for (const days of [10, 40])
    check(`does not follow a wall clock that is ${days} days ahead`, [{ wall: days * day, uptime: minute }], {
      time: minute,
      since: 0,
      day: days,
    })
  check(
    "is right at once after the wall clock is",
    [
      { wall: 10 * day, uptime: minute },
      { wall: 2 * minute, uptime: 2 * minute },
    ],
    {
      time: 2 * minute,
      since: 0,
      day: 0,
    },
  )
  check(
    "stands still while the wall clock is behind",
    [
      { wall: hour, uptime: hour },
      { wall: -10 * day, uptime: 2 * hour },
    ],
    {
      time: hour,
      since: -10,
      day: 0,
    },
  )
  check(
    "is right at once after a wall clock that was behind is",
    [
      { wall: -10 * day, uptime: minute },
      { wall: 50 * minute, uptime: 50 * minute },
    ],
    { time: 50 * minute, since: 0, day: 0 },
  )
  check("does not follow another machine that is behind", [{ wall: -day, uptime: 0, boot: "another" }], {
    time: 0,
    since: -1,
    day: 0,
  })
  check(
    "believes a wall clock that insists for an hour",
    [
      { wall: 3 * day, uptime: 0 },
      { wall: 3 * day + hour, uptime: hour },
    ],
    { time: 3 * day + hour, since: 3, day: 3 },
  )
  check(
    "believes a wall clock that says for an hour that the first one was ahead",
    [
      { wall: -3 * day, uptime: 0 },
      { wall: -3 * day + hour, uptime: hour },
    ],
    { time: -3 * day + hour, since: -3, day: -3 },
  )
  check(
    "does not add up the times of clocks that disagree with each other too",
    [
      { wall: 3 * day, uptime: 0 },
      { wall: 5 * day, uptime: 30 * minute },
      { wall: 3 * day + hour, uptime: hour },
    ],
    { time: hour, since: 0, day: 3 },
  )
})

/** A balance as small as it can be, over the times of many processes of one machine. */
const makeModel = () => {
  let time: AgreedTime | undefined
  let charges: ReadonlyArray<{ readonly day: number; readonly credits: number }> = []
  return (reading: ClockReading, credits: number): number => {
    time = agreeOn(time, reading)
    const { day, since } = daysOf(time, reading.wall)
    charges = [...charges, { day, credits }]
    if (time.doubt === undefined) charges = charges.map((one) => ({ ...one, day: Math.min(one.day, day) }))
    return charges.reduce((sum, one) => (one.day >= since ? sum + one.credits : sum), 0)
  }
}

const passing = fc.record({
  /** What passes, in minutes. */
  passes: fc.constantFrom(0, 1, 5, 29, 200, 1_440, 20_000),
  /** How wrong the wall clock then is for a moment, in hours. */
  wrong: fc.constantFrom(0, 3, -3, 240, -240, 960),
})

describe("any program over a wall clock that is wrong for moments", () => {
  it("is never below the truth, and is exact whenever the clock is right", () =>
    fc.assert(
      fc.property(fc.array(passing, { maxLength: 30 }), (steps) => {
        const charge = makeModel()
        let now = noon
        let truth = 0
        const look = (credits: number, wrong = 0) =>
          charge({ wall: now + wrong * hour, uptime: uptime + now - noon, boot }, credits)
        look(0)
        for (const { passes, wrong } of steps) {
          if (Math.floor((now + passes * minute) / day) > Math.floor(now / day)) truth = 0
          now += passes * minute
          assert.strictEqual(look(1), ++truth)
          assert.isAtLeast(look(1, wrong), ++truth)
          assert.strictEqual(look(0), truth)
        }
      }),
      { numRuns: runs(500) },
    ))
})
