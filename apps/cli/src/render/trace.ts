/**
 * `--trace`: a line on stderr for each attempt when it ends, for each wait when it begins, and for each call that needs
 * no attempt. It names at most the host and port of an endpoint.
 */
import type { CallObserver } from "@dotrpc/core"
import { attemptWords, pauseWords, sharedWords } from "@dotrpc/runner"
import { Visible } from "@dotrpc/spec"
import type { Output } from "../Output.ts"

/** Traces the calls of a request, or of a scan, under this name. `now` is the time in milliseconds since 1970. */
export const tracing =
  ({ stderr }: Output["Service"], now: () => number) =>
  (name: string): CallObserver => {
    const write = (words: string) => {
      const line = `${new Date(now()).toISOString()} ${name}: ${words}`
      stderr.write(`${stderr.colors.dim(Visible.line(line))}\n`)
    }
    return {
      onAttempt: () => {},
      onAttemptEnd: (end, request) => write(attemptWords(end, request)),
      onWait: (millis, why) => write(pauseWords(millis, why)),
      onShared: (from, request) => write(sharedWords(from, request)),
    }
  }
