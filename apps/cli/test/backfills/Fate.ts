/**
 * What happens to a worker at each of its steps: it goes on, is killed, or freezes and wakes up later. A worker that was killed takes no
 * further step, and its connection to the database breaks as that of a process does.
 */
import { Deferred, Effect } from "effect"
import type { Random } from "./chain.ts"

export class Fate {
  isDead = false
  /** Set while all of it is frozen. */
  frozen: Deferred.Deferred<void> | undefined
  isConnected = true
  /** Ends the connection to the database. */
  disconnect: () => void = () => undefined
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** A step before or after which anything may happen. A frozen transaction is one that the database has given up. */
  step(kind: "alone" | "in a transaction" = "alone"): Effect.Effect<void> {
    return Effect.suspend(() => {
      const world = this.#world
      world.count()
      if (this.isDead) return Effect.never
      if (this.frozen !== undefined) {
        if (kind === "in a transaction") this.disconnect()
        return this.#thaw(this.frozen)
      }
      if (world.isCalm) return Effect.yieldNow
      const fate = world.random(0, world.rarity)
      if (fate === 0) {
        world.kills++
        this.end()
        return Effect.never
      }
      if (fate === 1) {
        world.freezes++
        if (kind === "in a transaction") this.disconnect()
        const frozen = (this.frozen = world.later(world.random(1, 400)))
        return this.#thaw(frozen)
      }
      return Effect.yieldNow
    })
  }

  #thaw(frozen: Deferred.Deferred<void>): Effect.Effect<void> {
    return Effect.andThen(
      Deferred.await(frozen),
      Effect.suspend(() => {
        this.frozen = undefined
        return this.isDead ? Effect.never : Effect.void
      }),
    )
  }

  /** A step, what it does, and a step that may keep its result from being heard. */
  around<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.andThen(this.step(), effect).pipe(Effect.tap(() => this.step()))
  }

  end(): void {
    this.isDead = true
    this.disconnect()
  }
}

/** What all workers of a round have in common. */
export class World {
  kills = 0
  freezes = 0
  steps = 0
  /** Nothing happens to anyone any more. */
  isCalm = false
  readonly #waiting: Array<{ readonly at: number; readonly woken: Deferred.Deferred<void> }> = []

  readonly random: Random
  /** One step in so many kills, and one freezes. */
  readonly rarity: number
  readonly #look: () => void

  /** @param look looks at the world as a reader does */
  constructor(random: Random, rarity: number, look: () => void) {
    this.random = random
    this.rarity = rarity
    this.#look = look
  }

  count(): void {
    this.steps++
    this.#look()
    this.wake(this.steps)
  }

  /** Wakes up everyone whose time has come. */
  wake(steps: number): void {
    for (const one of this.#waiting.filter(({ at }) => at <= steps)) {
      this.#waiting.splice(this.#waiting.indexOf(one), 1)
      Deferred.doneUnsafe(one.woken, Effect.void)
    }
  }

  later(steps: number): Deferred.Deferred<void> {
    const woken = Deferred.makeUnsafe<void>()
    this.#waiting.push({ at: this.steps + steps, woken })
    return woken
  }
}
