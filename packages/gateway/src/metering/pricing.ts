/** What each entry of a body is charged: before it is answered, and by its outcome (service §8). */
import { type Json, Price } from "@dotrpc/spec"
import { Result } from "effect"
import { type Entry, isCall } from "../methods/Envelope.ts"
import { type Fault, methodNotFound } from "../methods/Fault.ts"
import type { ServedMethod } from "../methods/ServedMethod.ts"

export interface PricedEntry {
  readonly entry: Entry
  /** The method's name, or `invalid` for what names none: under it the call is counted. */
  readonly name: string
  /** What is charged at first. */
  readonly credits: number
  /** Absent when the entry is not a call of a known method. */
  readonly method: ServedMethod | undefined
}

/** The methods of a network by the names that callers use. */
export type MethodTable = ReadonlyMap<string, ServedMethod>

/** Prices an entry. What is not a call of a known method has no price of its own and is charged as a client error. */
export const priceEntry = (methods: MethodTable, entry: Entry): PricedEntry => {
  const method = isCall(entry) ? methods.get(entry.method) : undefined
  return method === undefined
    ? { entry, name: "invalid", credits: clientErrorCredits, method }
    : { entry, name: method.name, credits: method.credits, method }
}

/** The credits an answered entry costs. */
export const costOf = (priced: PricedEntry, answer: Result.Result<Json.Json, Fault>): number => {
  if (priced.method === undefined || Result.isSuccess(answer)) return priced.credits
  return Price.chargeFor(priced.method.settle, priced.credits, outcomeOf(answer.failure))
}

/** The fault of an entry that is not a call of a known method. */
export const faultOf = (entry: Entry): Fault => (isCall(entry) ? methodNotFound(entry.method) : entry.fault)

const outcomeOf = (fault: Fault): Price.Outcome =>
  fault.status === undefined ? "rpc-error" : fault.status >= 500 ? "server-error" : "client-error"

const clientErrorCredits = Price.chargeFor(Price.defaultSettlePolicy, Infinity, "client-error")
