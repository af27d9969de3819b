/** One run of one request as it is kept: what was run, where, for how much, and what came back. */
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
  credits: Schema.Number,
})

/** What the list of runs says of one. */
export type RunSummary = typeof Summary.Type

export interface KeptRun {
  readonly summary: RunSummary
  /** The section as it was run; secrets have names in it. */
  readonly text: string
  /** Absent when nothing came back, or more than is kept of one run. */
  readonly result?: Json.Json
}

/** A run as the text of its file, in which none of the secrets is. */
export const runText = (
  { summary, text, result }: KeptRun,
  secrets: ReadonlyArray<Redacted.Redacted<string>>,
): string => {
  const run = { summary: { ...summary }, text }
  const whole = textWithoutSecrets({ ...run, ...(result === undefined ? {} : { result }) }, secrets)
  return whole.length > longestText ? textWithoutSecrets(run, secrets) : whole
}

/** Of a run that takes more characters, everything is kept but the result. */
export const longestText = 4_000_000

/** Throws when it is no kept run. */
export const runFromJson = (json: Json.Json): KeptRun => {
  if (!Json.isObject(json)) throw new Error("A kept run is an object.")
  const { summary, text, result } = json
  return {
    summary: Schema.decodeUnknownSync(Summary)(summary),
    text: typeof text === "string" ? text : "",
    ...(result === undefined ? {} : { result }),
  }
}
