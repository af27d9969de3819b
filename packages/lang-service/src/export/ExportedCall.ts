/** A saved request as another tool can be given it: one call, with names instead of secrets. */
import type { Json, Method, Network } from "@dotrpc/spec"

/** One call, as the tool is to send it. */
export interface ExportedCall {
  /** As the request is called in its file. */
  readonly label: string
  readonly method: Method
  readonly network: Network
  /** With {@link secretPlaceholder} for each secret, and {@link variablePlaceholder} for each variable of the environment. */
  readonly params: Json.Json
  /** As the configuration has it: `https://…/v3/{{$secret.API_KEY}}`, or `embedded:ID`. */
  readonly url: string
  /** As the configuration has them; those of an embedded network are not sent. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** What the request does in a run, and the other tool does not. */
  readonly notes?: ReadonlyArray<string> | undefined
}

/** A request that cannot be written for another tool, and why, as a sentence without a full stop. */
export interface LeftOutCall {
  readonly label: string
  readonly reason: string
}
