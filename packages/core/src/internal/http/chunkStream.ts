/** A stream of the chunks that a sender pushes. The sender has to wait while nobody reads; how it ended first is how it ended. */

export interface ChunkStream {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>
  readonly push: (chunk: Uint8Array) => void
  readonly close: () => void
  readonly fail: (error: Error) => void
}

export interface Sender {
  readonly pause: () => void
  readonly resume: () => void
  /** Nobody wants what is left. */
  readonly giveUp: () => void
}

export const chunkStream = (sender: Sender): ChunkStream => {
  let sink: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start: (controller) => {
        sink = controller
      },
      pull: sender.resume,
      cancel: () => {
        sink = undefined
        sender.giveUp()
      },
    },
    { highWaterMark: mostWaiting, size: ({ byteLength }) => byteLength },
  )
  return {
    stream,
    push: (chunk) => {
      // What a socket received is in memory of this thread alone.
      sink?.enqueue(chunk as Uint8Array<ArrayBuffer>)
      if ((sink?.desiredSize ?? 1) <= 0) sender.pause()
    },
    close: () => {
      sink?.close()
      sink = undefined
    },
    fail: (error) => {
      sink?.error(error)
      sink = undefined
    },
  }
}

/** The most bytes that may wait to be read. */
const mostWaiting = 1_048_576
