/** Options of a gateway that make no sense or do not exist are refused by their name, wherever they are given. */
import { Options, Transport } from "@dotrpc/spec"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { EmbeddedGateway, Gateway } from "../src/index.ts"
import { serve } from "../src/server/Server.ts"

const below = Layer.succeed(Transport, Transport.of({ send: () => Effect.never }))

const problemsOf = async (options: unknown): Promise<ReadonlyArray<string>> => {
  const thrown = () => {
    try {
      Gateway.make(options as Gateway.GatewayOptions)
      return "nothing"
    } catch (error) {
      expect(error).toBeInstanceOf(Options.OptionError)
      return (error as Error).message
    }
  }
  const ofLayer = EmbeddedGateway.layer(options as object).pipe(
    Layer.provide(below),
    Layer.build,
    Effect.scoped,
    Effect.as("nothing"),
    Effect.catchTag("InvalidOptions", ({ message }) => Effect.succeed(message)),
  )
  const served = serve(options as object).pipe(
    Effect.scoped,
    Effect.as("nothing"),
    Effect.catchTag("ServeError", ({ detail }) => Effect.succeed(detail)),
  )
  return [thrown(), await Effect.runPromise(ofLayer), await Effect.runPromise(served)]
}

describe("a gateway, its layer and its server refuse", () => {
  const check = (what: string, options: unknown, expected: RegExp) =>
    it(what, async () => {
      for (const message of await problemsOf(options)) expect(message).toMatch(expected)
    })
  check("what is not options", null, /^options must be an object with /)
  check("a misspelt option", { dayly: 5 }, /^dayly is not an option; did you mean daily\?$/)
  check("an option that nobody has", { zzzzzzzz: 5 }, /^zzzzzzzz is not an option; expected one of .*daily/)
  check("a wrong amount", { daily: "5" }, /^daily must be a number of credits, zero or more; it is "5"\.$/)
  check("what is not a function", { loadEvm: {} }, /^loadEvm must be a function; it is an object\.$/)
  check("a member of the sample", { sample: { block: 5 } }, /^sample\.block is not an option; did you mean blocks\?$/)
})

it("the server has options of its own", async () => {
  const message = (options: object) =>
    serve(options).pipe(
      Effect.scoped,
      Effect.as("nothing"),
      Effect.catchTag("ServeError", ({ detail }) => Effect.succeed(detail)),
      Effect.runPromise,
    )
  expect(await message({ prot: 0 })).toBe("prot is not an option; did you mean port?")
  expect(await message({ port: 0, bodyLimit: 0 })).toMatch(/^bodyLimit must be a whole number above zero/)
})
