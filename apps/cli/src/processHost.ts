/** The world around this process. Beside `main.ts`, `ending.ts` and `signals.ts` the one file that looks at it. */
import { processSurroundings } from "@dotrpc/project/node"
import { fstatSync, writeFileSync } from "node:fs"
import { createSupportsHyperlinks } from "supports-hyperlinks"
import type { WriteStream } from "node:tty"
import type { Host, RawOutput } from "./Host.ts"

export const processHost = (): Host["Service"] => ({
  ...processSurroundings(),
  stdin: {
    get isTTY() {
      return process.stdin.isTTY === true
    },
    stream: () => process.stdin,
  },
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
})

const outputOf = (stream: WriteStream & { readonly fd: number }): RawOutput => ({
  isTTY: stream.isTTY === true,
  get columns() {
    return stream.columns
  },
  get followsLinks() {
    return createSupportsHyperlinks({ isTTY: stream.isTTY === true })
  },
  write: (text, heard) => {
    if (heard === undefined) return void stream.write(text)
    stream.once("error", heard.failed)
    stream.write(text, (error) => {
      if (error != null) return
      stream.off("error", heard.failed)
      heard.left()
    })
  },
  writeWhole: (text) => {
    // Node takes it for a success when a disk that becomes full holds the beginning of what it wrote to stdout.
    if (fstatSync(stream.fd).isFile()) writeFileSync(stream.fd, text)
    else stream.write(text)
  },
})
