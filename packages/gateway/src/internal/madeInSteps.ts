/** A value that takes long to make: it is made once, in steps that anyone who needs it may take. */
import type { Steps } from "@dotrpc/spec"

export interface MadeInSteps<A> {
  readonly isMade: () => boolean
  /** Takes what steps are left. */
  readonly making: () => Steps<void>
  /** The value. Takes all steps that are left at once. */
  readonly get: () => A
}

export const madeInSteps = <A extends object>(make: () => Steps<A>): MadeInSteps<A> => {
  let steps: Steps<A> | undefined
  let made: A | undefined
  /** Takes a step if one is left. */
  const step = (): A | undefined => {
    if (made !== undefined) return made
    steps ??= make()
    try {
      const next = steps.next()
      if (next.done === true) made = next.value
    } catch (defect) {
      // Anyone else who needs it begins again.
      steps = undefined
      throw defect
    }
    return made
  }
  return {
    isMade: () => made !== undefined,
    *making() {
      while (step() === undefined) yield
    },
    get: () => {
      for (;;) {
        const value = step()
        if (value !== undefined) return value
      }
    },
  }
}

/** A value that is there already. */
export const made = <A>(value: A): MadeInSteps<A> => ({
  isMade: () => true,
  *making() {},
  get: () => value,
})
