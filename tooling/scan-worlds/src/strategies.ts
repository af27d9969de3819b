/** Other ways to scan a range, as they are in use: what the planner is compared with. Each makes one call after the other. */
import { answer, type Query, type ServerOptions } from "./server.ts"
import type { Simulation } from "./simulate.ts"
import { fewestCalls, type World } from "./worlds.ts"

type Strategy = (world: World, options: ServerOptions) => Simulation

/** Ranges of a fixed length; one that fails is halved until its halves succeed. */
export const fixed =
  (length: number): Strategy =>
  (world, options) => {
    const counter = counting(world, options)
    for (let from = 0; from < world.blocks; from += length)
      halve(counter.ask, { from, to: Math.min(world.blocks, from + length) - 1 })
    return counter.result()
  }

/** The whole range, halved until the halves succeed. */
export const bisection: Strategy = (world, options) => {
  const counter = counting(world, options)
  halve(counter.ask, { from: 0, to: world.blocks - 1 })
  return counter.result()
}

/** A step of 500 blocks that grows by a twentieth with each success and is halved by each failure, as ponder's is. */
export const growingStep: Strategy = (world, options) => {
  const counter = counting(world, options)
  let step = 500
  for (let from = 0; from < world.blocks;) {
    const to = Math.min(world.blocks - 1, from + Math.max(1, Math.floor(step)) - 1)
    const succeeded = counter.ask({ from, to })._tag === "Answered"
    step = succeeded ? step * 1.05 : (to - from + 1) / 2
    if (succeeded) from = to + 1
  }
  return counter.result()
}

/** Aims at 80 % of the limit by the density of the last answer, and halves what is refused. */
export const proportional: Strategy = (world, options) => {
  const counter = counting(world, options)
  let span = world.blocks
  for (let from = 0; from < world.blocks;) {
    const to = Math.min(world.blocks - 1, from + Math.max(1, Math.floor(span)) - 1)
    const answered = counter.ask({ from, to })
    const length = to - from + 1
    if (answered._tag === "TooLarge") span = length / 2
    else {
      span = (0.8 * (options.limit ?? 10_000) * length) / answered.items
      from = to + 1
    }
  }
  return counter.result()
}

/** Asks for everything that is left, and takes the range that the refusal names. */
export const askAll: Strategy = (world, options) => {
  const counter = counting(world, { ...options, hints: true })
  for (let from = 0; from < world.blocks;) {
    const answered = counter.ask({ from, to: world.blocks - 1 })
    const hint = answered._tag === "TooLarge" ? answered.hint?.to : undefined
    if (hint !== undefined) counter.ask({ from, to: hint })
    from = (hint ?? world.blocks - 1) + 1
  }
  return counter.result()
}

const halve = (ask: (query: Query) => { readonly _tag: string }, { from, to }: Query): void => {
  if (ask({ from, to })._tag === "Answered") return
  const middle = Math.floor((from + to) / 2)
  halve(ask, { from, to: middle })
  halve(ask, { from: middle + 1, to })
}

const counting = (world: World, options: ServerOptions) => {
  let [calls, failed] = [0, 0]
  return {
    ask: (query: Query) => {
      const outcome = answer(world, query, options)
      calls++
      if (outcome._tag === "TooLarge") failed++
      return outcome
    },
    result: (): Simulation => ({
      calls,
      failed,
      rounds: calls,
      ratio: calls / fewestCalls(world, options.limit ?? 10_000, options.span),
    }),
  }
}
