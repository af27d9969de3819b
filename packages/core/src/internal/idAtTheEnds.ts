/**
 * Finds the request that a message answers which is too long to be parsed: servers write the id before the result or
 * after it.
 */

/** The id of a reply, from the first or the last characters of its message. `undefined` when it stands elsewhere. */
export const idAtTheEnds = (event: object): number | undefined => {
  const data = "data" in event ? event.data : undefined
  const id = idFirst.exec(piece(data, 0, glimpse))?.[1] ?? idLast.exec(piece(data, -glimpse))?.[1]
  return id === undefined ? undefined : Number(id)
}

/** How many characters of either end are looked at. */
const glimpse = 200

const idFirst = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*"?(\d{1,15})"?\s*,/
/** A brace at the end of a whole message closes the object that the message is. */
const idLast = /,\s*"id"\s*:\s*"?(\d{1,15})"?\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/

const piece = (data: unknown, from: number, to?: number): string => {
  if (typeof data === "string") return data.slice(from, to)
  if (data instanceof ArrayBuffer) return new TextDecoder().decode(data.slice(from, to))
  if (!ArrayBuffer.isView(data)) return ""
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  return new TextDecoder().decode(bytes.subarray(from, to))
}
