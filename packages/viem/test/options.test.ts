/** Options that make no sense are refused when the transport is made, by their name. */
import { expect, it } from "vitest"
import { type CallOptions, dotrpcTransport } from "../src/index.ts"
import { address } from "./wire.ts"

const check = (option: keyof CallOptions, values: ReadonlyArray<unknown>, expected: string) => {
  for (const value of values)
    it(`refuses ${option} ${String(value)}`, () => {
      const found = typeof value === "string" ? JSON.stringify(value) : String(value)
      // The value comes from a script without types.
      const options = { [option]: value } as CallOptions
      expect(() => dotrpcTransport({ network: address }, options)).toThrow(
        new RangeError(`${option} must be ${expected}; it is ${found}.`),
      )
    })
}

check("lanes", [0, -3, 1.5, Number.NaN], "a whole number above zero")
check("maxCredits", [-1, Number.NaN], "a number of credits, zero or more")
check("maxCreditsPerRequest", [-1, Number.NaN], "a number of credits, zero or more")
check("timeout", ["foo", -1, 0], 'a duration such as "30 seconds" or a number of milliseconds, above zero')
check("priority", ["foo"], 'one of "interactive", "background"')
