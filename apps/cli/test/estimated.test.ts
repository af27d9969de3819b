import { describe, expect, it } from "vitest"
import { showEstimated, showTotal } from "../src/render/estimated.ts"

const price = (min: number, max: number | undefined, assumed = false) => ({ min, max, assumed })

describe("what is estimated is said as a person would", () => {
  it.each([
    ["a number", { low: 2, likely: 2, high: 2 }, "2"],
    ["a band", { low: 2, likely: 2, high: 1_009 }, "2 to 1,009, likely 2"],
    ["only the least", { low: 1, likely: undefined, high: undefined }, "1 or more; the total is not known yet"],
  ])("%s", (_, band, said) => expect(showEstimated(band)).toBe(said))

  it.each([
    ["a sum", [price(255, 255), price(80, 80, true)], undefined, "~335 credits in total"],
    ["a band", [price(80, 600)], undefined, "80–600 credits in total"],
    ["the least", [price(80, undefined), price(80, 80)], undefined, "160 credits or more in total"],
    ["the least and a guess", [price(80, undefined)], 3_280, "80 credits or more in total, likely 3,280"],
    ["nothing", [price(0, undefined)], undefined, "the total is not known yet"],
    ["a guess", [price(0, undefined)], 510, "0 credits or more in total, likely 510"],
  ])("a total: %s", (_, prices, likely, said) => expect(showTotal(prices, likely)).toBe(said))
})
