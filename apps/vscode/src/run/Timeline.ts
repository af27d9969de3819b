/**
 * The attempts and waits of a request while it runs, with the time and charge of each.
 *
 * Invariant: it contains no secret. It names only the host of an endpoint, and params are scrubbed before they are
 * written. Its size is bounded, however many calls there are.
 */
import type { CallObserver } from "@dotrpc/core"
import { attemptWords, pauseWords, type RequestReport, sharedWords } from "@dotrpc/runner"
import { Price, Redaction, type RpcRequest, Wire } from "@dotrpc/spec"

export interface Timeline {
  /** When the first call began, in milliseconds since 1970. */
  readonly began: number
  readonly entries: ReadonlyArray<TimelineEntry>
  /** How many entries in the middle were left out. */
  readonly leftOut: number
  readonly sent?: SentRequest | undefined
}

export interface TimelineEntry {
  /** Milliseconds from the beginning. */
  readonly at: number
  readonly millis: number
  /** In the words of a trace. */
  readonly words: string
  /** The charge, such as `255 credits`; absent where nothing can be charged. */
  readonly charge?: string | undefined
  readonly failed?: true | undefined
}

/** The first call of a request as it was sent. */
export interface SentRequest {
  /** `main (node.example)` */
  readonly place: string
  /** The JSON text of the body, in which secrets are masked. */
  readonly body: string
}

export class TimelineRecorder {
  readonly #now: () => number
  readonly #first: Array<TimelineEntry> = []
  readonly #last: Array<TimelineEntry> = []
  #began: number | undefined
  #leftOut = 0
  #sent: SentRequest | undefined

  /** @param now milliseconds since 1970 */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  readonly observer: CallObserver = {
    onAttempt: () => void (this.#began ??= this.#now()),
    onAttemptEnd: (end, request) => {
      const { charged, failure, host, sent, waited } = end
      this.#sent ??= sent === undefined ? undefined : sentRequest(request, host)
      this.#add(sent?.millis ?? 0, waited, {
        words: attemptWords(end, request),
        charge: Price.showCredits(charged, request.network.prices?.unit),
        failed: failure === undefined ? undefined : true,
      })
    },
    onWait: (millis, why) => this.#add(0, 0, { words: pauseWords(millis, why) }),
    onShared: (from, request) => this.#add(0, 0, { words: sharedWords(from, request) }),
  }

  /** The timeline so far. */
  get timeline(): Timeline {
    return {
      began: this.#began ?? this.#now(),
      entries: [...this.#first, ...this.#last],
      leftOut: this.#leftOut,
      sent: this.#sent,
    }
  }

  #add(millis: number, waited: number, entry: Omit<TimelineEntry, "at" | "millis">): void {
    const now = this.#now()
    this.#began ??= now
    const at = Math.max(0, Math.round(now - this.#began - millis - waited))
    const whole = { at, millis: Math.round(millis + waited), ...entry }
    if (this.#first.length < mostAtAnEnd) return void this.#first.push(whole)
    this.#last.push(whole)
    if (this.#last.length <= mostAtAnEnd) return
    this.#last.shift()
    this.#leftOut++
  }
}

/** How many entries are kept at the beginning, and at the end. */
export const mostAtAnEnd = 100

const longestBody = 20_000

const sentRequest = ({ method, network, params }: RpcRequest, host: string | undefined): SentRequest => {
  const body = Wire.encodeRequest({ method, network, params: Redaction.scrubJson(params, network.secrets) }, 1)
  return {
    place: `${network.id} (${host ?? "in this process"})`,
    body: body.length <= longestBody ? body : `${body.slice(0, longestBody)}…`,
  }
}

const timelines = new WeakMap<RequestReport, Timeline>()

export const timelineOf = (report: RequestReport): Timeline | undefined => timelines.get(report)

/** A report and how it came about go together from here on. */
export const noteTimeline = (report: RequestReport, timeline: Timeline): void => void timelines.set(report, timeline)
