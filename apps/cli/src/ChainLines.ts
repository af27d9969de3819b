/** The lines of a chain file, one at a time: the whole of it may be longer than any text. */
import { encodingOf } from "@dotrpc/spec"
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs"

/** A block with its receipts has a few megabytes. */
const longestLine = 64 * 1_048_576

/** Throws an `Error` in words for the user. Only a regular file is read: anything else may never end. */
export function* chainLines(path: string): Generator<string, void> {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw new Error("there is no such file")
  if (!stats.isFile()) throw notRegular
  // Opening a pipe that has taken its place since would wait. Windows has no such pipes, and no such flag.
  const descriptor = openSync(path, constants.O_RDONLY | (process.platform === "win32" ? 0 : constants.O_NONBLOCK))
  try {
    if (!fstatSync(descriptor).isFile()) throw notRegular
    const piece = new Uint8Array(1_048_576)
    let decoder: TextDecoder | undefined
    let rest = ""
    let line = 1
    for (let read = readSync(descriptor, piece); read > 0; read = readSync(descriptor, piece)) {
      decoder ??= new TextDecoder(encodingOf(piece.subarray(0, read)))
      const lines = (rest + decoder.decode(piece.subarray(0, read), { stream: true })).split("\n")
      rest = lines.pop() ?? ""
      line += lines.length
      yield* lines
      if (rest.length > longestLine)
        throw new Error(`line ${line} is longer than ${longestLine} characters: write one block on each line`)
    }
    yield rest + (decoder?.decode() ?? "")
  } finally {
    closeSync(descriptor)
  }
}

const notRegular = new Error("it is not a regular file: save the chain to one")
