/** Long messages of one link, which are read one after the other. */

export interface Readings {
  /** Reads when those before it are read. */
  readonly next: (read: () => Promise<void>) => void
  /** Does something when all that has come is read; at once where that is so. */
  readonly afterwards: (then: () => void) => void
}

/** `onDefect` is given what a reading throws. */
export const makeReadings = (onDefect: (defect: unknown) => void): Readings => {
  let reading: Promise<void> | undefined
  return {
    next: (read) => {
      const all = Promise.resolve(reading)
        .then(read)
        .catch(onDefect)
        .then(() => {
          if (reading === all) reading = undefined
          return undefined
        })
      reading = all
    },
    afterwards: (then) => {
      if (reading === undefined) then()
      else void reading.then(then)
    },
  }
}
