/** What each entry of a body is charged: before it is answered, and by its outcome (service §8). */
import { type Json, Price, PriceSheet } from "@dotrpc/spec"
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

/** How the calls of a network are charged. */
export interface Pricing {
  /** What is charged before an entry is answered: the most that it can cost. */
  readonly highest: (entry: Entry, method: ServedMethod | undefined) => number
  /** What an answered entry costs. `bytes` are those of its reply. */
  readonly cost: (priced: PricedEntry, answer: MethodResult, bytes: () => number) => number
  /** What a batch costs on top of its calls. */
  readonly batch: number
}

type MethodResult = Result.Result<Json.Json, Fault>

/** By the prices of the service. What is not a call of a known method has no price and is charged as a client error. */
export const servicePricing: Pricing = {
  highest: (_, method) => method?.credits ?? clientErrorCredits,
  cost: ({ credits, method }, answer) =>
    method === undefined || Result.isSuccess(answer)
      ? credits
      : Price.chargeFor(method.settle, credits, outcomeOf(answer.failure)),
  batch: 0,
}

/** Where a price sheet is applied. */
export interface Priced {
  readonly network: PriceSheet.PricedCall["network"]
  /** The number of the latest block, where it is known. */
  readonly head: () => number | undefined
  /** The longest reply. */
  readonly mostBytes: number
}

/** By another provider's prices: what its servers would charge for the same calls and the same outcomes. */
export const sheetPricing = (sheet: PriceSheet.PriceSheet, { head, mostBytes, network }: Priced): Pricing => {
  const callOf = (entry: Entry): PriceSheet.PricedCall => ({
    method: { name: isCall(entry) ? entry.method : "invalid" },
    params: isCall(entry) ? (entry.params ?? []) : [],
    network,
    head: head(),
    mostBytes,
  })
  const countsBytes = sheet.rules.some((rule) => rule.bytes !== undefined)
  return {
    highest: (entry) => PriceSheet.chargeOf(sheet, callOf(entry), { outcome: "ok" }),
    cost: ({ entry }, answer, bytes) =>
      PriceSheet.chargeOf(sheet, callOf(entry), {
        ...endOf(answer),
        bytes: countsBytes ? bytes() : undefined,
      }),
    batch: sheet.batch ?? 0,
  }
}

/** Prices an entry as it is counted. */
export const priceEntry = (pricing: Pricing, methods: MethodTable, entry: Entry): PricedEntry => {
  const method = isCall(entry) ? methods.get(entry.method) : undefined
  return { entry, name: method?.name ?? "invalid", credits: pricing.highest(entry, method), method }
}

/** The fault of an entry that is not a call of a known method. */
export const faultOf = (entry: Entry): Fault => (isCall(entry) ? methodNotFound(entry.method) : entry.fault)

const endOf = (answer: MethodResult): PriceSheet.CallEnd => {
  if (Result.isSuccess(answer)) return { outcome: "ok", httpStatus: 200 }
  const { code, status = 200 } = answer.failure
  return { outcome: outcomeOf(answer.failure), httpStatus: status, rpcCode: code }
}

const outcomeOf = (fault: Fault): Price.Outcome =>
  fault.status === undefined ? "rpc-error" : fault.status >= 500 ? "server-error" : "client-error"

const clientErrorCredits = Price.chargeFor(Price.defaultSettlePolicy, Infinity, "client-error")
