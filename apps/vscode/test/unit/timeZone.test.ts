/** The setting `dotrpc.timeZone`. */
import { describe, expect, it } from "vitest"

import { readTimeZone } from "../../src/run/chosenTimeZone.ts"

describe("a time zone", () => {
  const check = (text: string, expected: ReturnType<typeof readTimeZone>) =>
    it(JSON.stringify(text), () => expect(readTimeZone(text)).toEqual(expected))
  check("", {})
  check("  ", {})
  check("UTC", { timeZone: "UTC" })
  check(" Europe/Paris ", { timeZone: "Europe/Paris" })
  check("Europe/Pari", {
    problem:
      'dotrpc.timeZone is "Europe/Pari": did you mean "Europe/Paris"? Until then the zone of this machine is used.',
  })
  check("over there", {
    problem:
      'dotrpc.timeZone is "over there": expected a name such as Europe/Paris or UTC. Until then the zone of this machine is used.',
  })
})
