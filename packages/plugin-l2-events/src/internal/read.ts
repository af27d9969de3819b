/** What all reads of this family have in common. */
import { defineMethod, type Method, type MethodDefinition, Price } from "@dotrpc/spec"
import { classify } from "./classify.ts"

type Read<Params, Result> = Omit<
  MethodDefinition<Params, Result>,
  "plugin" | "word" | "price" | "idempotent" | "classify"
>

/** A method that reads: it may be sent twice, and the service does not publish its price. */
export const read = <Params, Result>(definition: Read<Params, Result>): Method<Params, Result> =>
  defineMethod({
    plugin: "l2-events",
    word: "l2",
    price: Price.assumed(80),
    idempotent: true,
    classify,
    ...definition,
  })
