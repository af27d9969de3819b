/** One run of one request as it is kept: what was run, where, for how much, and what came back or went wrong. */
import { Json } from "@dotrpc/spec"
import { type Redacted, Schema } from "effect"

import { textWithoutSecrets } from "./withoutSecrets.ts"

const Summary = Schema.Struct({
  id: Schema.String,
  /** Milliseconds since 1970. */
  at: Schema.Number,
  /** Address of the file, as text. */
  uri: Schema.String,
  label: Schema.String,
  /** From `# @name`, by which the request is found again. */
  name: Schema.optionalKey(Schema.String),
  method: Schema.String,
  network: Schema.optionalKey(Schema.String),
  environment: Schema.optionalKey(Schema.String),
  /** The line beside the call: rows, time, credits, checks. */
  line: Schema.String,
  /** The first check that failed, with its actual value. */
  broken: Schema.optionalKey(Schema.String),
  credits: Schema.Number,
  /** Of one that was resumed: the credits of the runs before it, back to the first. */
  paidBefore: Schema.optionalKey(Schema.Number),
  /** It was stopped or failed in the middle, and can be resumed there. */
  resumable: Schema.optionalKey(Schema.Boolean),
})

const Failure = Schema.Struct({
  /** A reason of `RpcError`. */
  reason: Schema.String,
  message: Schema.String,
  /** The server's own code. */
  code: Schema.optionalKey(Schema.Number),
  advice: Schema.optionalKey(Schema.String),
})

/** The entry of a run in the list. */
export type RunSummary = typeof Summary.Type

export interface KeptRun {
  readonly summary: RunSummary
  /** The section as it was run; secrets have names in it. */
  readonly text: string
  /** Absent of a run that failed, and when more came back than is kept of one run. */
  readonly result?: Json.Json
  readonly error?: KeptError
  /** What was read before it failed or was stopped. */
  readonly partial?: KeptPartial
}

export interface KeptPartial {
  readonly result: Json.Json
  readonly point?: Json.Json
}

export interface KeptError extends RunFailure {
  /** What came as a result, when it is not what the method promises; absent when it is more than is kept of one run. */
  readonly received?: Json.Json
  /** What the server's error held besides its words; as long as `received`, it is absent. */
  readonly data?: Json.Json
}

type RunFailure = typeof Failure.Type

/** A run as the text of its file, in which none of the secrets is. */
export const runText = (
  { summary, text, result, error, partial }: KeptRun,
  secrets: ReadonlyArray<Redacted.Redacted<string>>,
): string => {
  const run = { summary: { ...summary }, text }
  const all = {
    ...run,
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error: { ...error } }),
    ...(partial === undefined ? {} : { partial: { ...partial } }),
  }
  const whole = textWithoutSecrets(all, secrets)
  if (whole.length <= longestText) return whole
  const { received: _tooLong, data: _also, ...failure } = error ?? {}
  return textWithoutSecrets({ ...run, ...(error === undefined ? {} : { error: failure }) }, secrets)
}

/** Of a run that takes more characters, everything is kept but what came back. */
export const longestText = 4_000_000

/** Throws when it is not a kept run. */
export const runFromJson = (json: Json.Json): KeptRun => {
  if (!Json.isObject(json)) throw new Error("A kept run is an object.")
  const { summary, text, result, error, partial } = json
  return {
    summary: Schema.decodeUnknownSync(Summary)(summary),
    text: typeof text === "string" ? text : "",
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error: errorFromJson(error) }),
    ...(partial === undefined ? {} : { partial: partialFromJson(partial) }),
  }
}

/** What there is to see of a run: its result, or the part of it that came; of one that failed, how, with what came all the same. */
export const outcomeOf = ({ error, partial, result }: KeptRun): Json.Json | undefined =>
  result ?? partial?.result ?? (error === undefined ? undefined : { error: { ...error } })

const partialFromJson = (json: Json.Json): KeptPartial => {
  const { point, result = null } = Json.isObject(json) ? json : {}
  return { result, ...(point === undefined ? {} : { point }) }
}

const errorFromJson = (json: Json.Json): KeptError => {
  const { data, received } = Json.isObject(json) ? json : {}
  return {
    ...Schema.decodeUnknownSync(Failure)(json),
    ...(received === undefined ? {} : { received }),
    ...(data === undefined ? {} : { data }),
  }
}
