/**
 * Who waits, in the order of their turns, as a value: calls that a person waits for go first, then pipelines in turn, and
 * in each of them the first to come is the first to go.
 */
import type { Allowance } from "../Allowance.ts"
import type { Priority } from "../Priority.ts"
import * as Turns from "./turns.ts"

export interface Queue<A extends Entry> {
  readonly interactive: Turns.Turns<A>
  readonly background: Turns.Turns<A>
}

export interface Entry extends Turns.Entry {
  /** In credits. */
  readonly price: number
  readonly priority: Priority
  /** The pipelines it belongs to, innermost first. */
  readonly allowances: ReadonlyArray<Allowance>
}

export const empty = <A extends Entry>(): Queue<A> => ({ interactive: Turns.empty(), background: Turns.empty() })

export const isEmpty = <A extends Entry>({ background, interactive }: Queue<A>): boolean =>
  Turns.isEmpty(interactive) && Turns.isEmpty(background)

export const has = <A extends Entry>(queue: Queue<A>, one: A): boolean =>
  Turns.has(queue[one.priority], pathOf(one), one)

export const next = <A extends Entry>(queue: Queue<A>): A | undefined => {
  for (const one of inTurn(queue)) return one
  return undefined
}

/** Every caller that waits, the next one first. */
export function* inTurn<A extends Entry>({ background, interactive }: Queue<A>): Generator<A, void> {
  yield* Turns.inTurn(interactive)
  yield* Turns.inTurn(background)
}

export const join = <A extends Entry>(queue: Queue<A>, one: A): Queue<A> => ({
  ...queue,
  [one.priority]: Turns.add(queue[one.priority], pathOf(one), one, one.price),
})

/** It does not wait any longer, and has had no turn. */
export const leave = <A extends Entry>(queue: Queue<A>, one: A): Queue<A> => ({
  ...queue,
  [one.priority]: Turns.remove(queue[one.priority], pathOf(one), one, one.price),
})

/** It goes, and the pipelines beside its own are next. */
export const go = <A extends Entry>(queue: Queue<A>, one: A): Queue<A> =>
  leave({ ...queue, [one.priority]: Turns.pass(queue[one.priority], pathOf(one)) }, one)

/** The first of those that are alike, which belong to the same pipelines and have the same price; the next one first. */
export function* firsts<A extends Entry>({ background, interactive }: Queue<A>): Generator<A, void> {
  yield* Turns.firsts(interactive)
  yield* Turns.firsts(background)
}

const pathOf = ({ allowances }: Entry): Turns.Path => allowances.toReversed()
