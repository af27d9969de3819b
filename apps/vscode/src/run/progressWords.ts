/** What a running request is doing, in a few words. */
import { type RequestProgress, showMillis } from "@dotrpc/runner"
import { Price, Table } from "@dotrpc/spec"

/** Shorter waits are over before they are read. */
const shownWaitMillis = 200

/** Of a run: what its one request is doing, or how many of several have ended. */
export const runWords = (open: number, total: number, words: string): string =>
  total === 1 ? words : `${total - open} of ${total} done`

export const progressWords = ({ attempt, calls, credits, soFar, request, waiting }: RequestProgress): string =>
  [
    "running",
    ...(calls > 0
      ? [
          `${Table.groupDigits(calls)} ${calls === 1 ? "call" : "calls"}`,
          Price.showCredits(credits, request.network?.prices?.unit),
        ]
      : []),
    ...(soFar === undefined ? [] : [`${Table.summarize(soFar(0))} so far`]),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(waiting === undefined || waiting.millis < shownWaitMillis
      ? []
      : [`${waiting.why}, for ${showMillis(waiting.millis)}`]),
  ].join(" · ")
