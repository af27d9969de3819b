/** Options that make no sense are refused when the transport is made, by their name. */
import { Options } from "@dotrpc/spec"
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
        new Options.OptionError({ message: `${option} must be ${expected}; it is ${found}.`, path: option, expected }),
      )
    })
}

check("lanes", [0, -3, 1.5, Number.NaN], "a whole number above zero")
check("maxCredits", [-1, Number.NaN], "a number of credits, zero or more")
check("maxCreditsPerRequest", [-1, Number.NaN], "a number of credits, zero or more")
check("timeout", ["foo", -1, 0], 'a duration such as "30 seconds" or a number of milliseconds, above zero')
check("priority", ["foo"], 'one of "interactive", "background"')

type Untyped = (source?: unknown, options?: unknown) => unknown

const refused = (what: string, make: (transport: Untyped) => unknown, message: string | RegExp) =>
  it(`refuses ${what}`, () => expect(() => make(dotrpcTransport as Untyped)).toThrow(message))

refused(
  "a misspelt option",
  (make) => make({ network: address }, { lane: 4 }),
  "lane is not an option; did you mean lanes?",
)
refused("a misspelt option of the runtime", (make) => make({ network: address, dayly: 5 }), "did you mean daily?")
refused("a network id of a wrong type", (make) => make({ network: address }, { networkId: 5 }), "networkId must be")
refused("nothing", (make) => make(), "source must be options with a network, or a ManagedRuntime; it is undefined.")
refused("an address alone", (make) => make("https://x.example"), "source must be options with a network")
refused("options without a network", (make) => make({ daily: 5 }), "network must be")
refused("null for options", (make) => make({ network: address }, null), /^options must be an object with /)
