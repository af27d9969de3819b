/** Long messages of one link, which are read one after the other. A server that sends faster than they are read has to wait. */
import type { Socket } from "./socket.ts"

export interface Readings {
  /** Reads a message of so many characters when those before it are read. False when too much waits to be read already. */
  readonly next: (own: Socket, size: number, read: () => Promise<void>, onDefect: (defect: unknown) => void) => boolean
  /** Does something when all that has arrived is read; at once where that is so. */
  readonly afterwards: (then: () => void) => void
  readonly isBusy: () => boolean
  /** Nobody wants any of it. */
  readonly stop: () => void
  readonly isStopped: () => boolean
}

/** `longest` is how many bytes a message may have. */
export const makeReadings = (longest: number): Readings => {
  let reading: Promise<void> | undefined
  /** How many characters the messages have that are not read. */
  let unread = 0
  let isStopped = false
  return {
    next: (own, size, read, onDefect) => {
      if (unread + size > mostUnread * longest) return false
      unread += size
      if (unread > longest) own.pause?.()
      const all = Promise.resolve(reading)
        .then(read)
        .catch(onDefect)
        .then(() => {
          unread -= size
          if (unread <= longest) own.resume?.()
          if (reading === all) reading = undefined
          return undefined
        })
      reading = all
      return true
    },
    afterwards: (then) => {
      if (reading === undefined) then()
      else void reading.then(then)
    },
    isBusy: () => unread > 0,
    stop: () => {
      isStopped = true
    },
    isStopped: () => isStopped,
  }
}

/** How many of the longest messages may wait to be read. */
const mostUnread = 4
