/** Reading a stream as text, up to a limit. */

/** `undefined` when it has more bytes than the limit: it is cancelled then, and what came of it is not kept. */
export const readText = async (stream: ReadableStream<Uint8Array>, limit: number): Promise<string | undefined> => {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  const parts: Array<string> = []
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return parts.join("") + decoder.decode()
    bytes += value.byteLength
    if (bytes > limit) {
      // Where the sender has hung up meanwhile there is nothing left to cancel.
      await reader.cancel().catch(() => undefined)
      return undefined
    }
    parts.push(decoder.decode(value, { stream: true }))
  }
}
