/** The world around this process. Beside `main.ts`, `ending.ts` and `signals.ts` the one file that looks at it. */
import { processSurroundings } from "@dotrpc/project/node"
import { fstatSync, writeFileSync } from "node:fs"
import { createSupportsHyperlinks } from "supports-hyperlinks"
import type { Writable } from "node:stream"
import type { Host, RawOutput } from "./Host.ts"
import { passSignals } from "./signals.ts"

export const processHost = (): Host["Service"] => ({
  ...processSurroundings(),
  stdin: {
    get isTTY() {
      return process.stdin.isTTY === true
    },
    stream: () => process.stdin,
  },
  stdout: rawOutputOf(process.stdout),
  stderr: rawOutputOf(process.stderr),
  program: [process.execPath, ...process.execArgv, ...process.argv.slice(1, 2)],
  hearSignals: passSignals,
  begun: () => {
    if (process.connected) process.send?.("begun")
  },
})

interface OutputStream extends Writable {
  readonly fd: number
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

/** An output of this process, which may be a terminal, a pipe or a file. */
export const rawOutputOf = (stream: OutputStream): RawOutput => ({
  isTTY: stream.isTTY === true,
  get columns() {
    return stream.columns
  },
  get followsLinks() {
    return createSupportsHyperlinks({ isTTY: stream.isTTY === true })
  },
  write: writerTo(stream),
  writeWhole: async (text) => {
    // Node takes it for a success when a disk that becomes full holds the beginning of what it wrote to stdout.
    if (fstatSync(stream.fd).isFile()) return writeFileSync(stream.fd, text)
    return new Promise((left, failed) => {
      stream.write(text, (error) => (error == null ? left() : failed(error)))
    })
  },
})

/** However many texts wait to leave, one listener hears that they never will. */
const writerTo = (stream: Writable): RawOutput["write"] => {
  const waiting = new Set<{ readonly failed: () => void }>()
  const fail = () => {
    const lost = [...waiting]
    waiting.clear()
    for (const { failed } of lost) failed()
  }
  return (text, heard) => {
    if (heard === undefined) return void stream.write(text)
    if (waiting.size === 0) stream.once("error", fail)
    waiting.add(heard)
    stream.write(text, (error) => {
      if (error != null) return
      waiting.delete(heard)
      if (waiting.size === 0) stream.off("error", fail)
      heard.left()
    })
  }
}
