/** What all reads of this family have in common. */
import { defineMethod, type Method, type MethodDefinition, Price } from "@dotrpc/spec"
import { classify } from "./classify.ts"

type Read<Params, Result> = Omit<MethodDefinition<Params, Result>, "plugin" | "price" | "idempotent" | "classify">

/** A method that reads: it may be sent twice, and the service does not publish its price. */
export const read = <Params, Result>(definition: Read<Params, Result>): Method<Params, Result> =>
  defineMethod({ plugin: "token-accounts", price: Price.assumed(80), idempotent: true, classify, ...definition })

/** A config as the last of positional params, which ends before it when there is none. */
export const optional = <Config>(config: Config | undefined): readonly [] | readonly [Config] =>
  config === undefined ? [] : [config]
