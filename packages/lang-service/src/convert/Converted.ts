/** The content of another tool's file, before it is written as saved requests. */
import type { FileText } from "@dotrpc/analysis"

/** What another tool's file says, as far as saved requests can. */
export interface Converted {
  /** Names with their values in the language of `.rpc`. */
  readonly variables: ReadonlyArray<{ readonly name: string; readonly value: string }>
  readonly sections: ReadonlyArray<ConvertedSection>
  /** What could not be taken over, in the order of the file that was read. */
  readonly problems: ReadonlyArray<ConversionProblem>
}

/** Something that could not be taken over. Its line and column count from 1; without a column it is about the whole line. */
export interface ConversionProblem {
  readonly line: number
  readonly column?: number | undefined
  readonly message: string
}

/** A request, or text that is not one and is kept as comments. */
export interface ConvertedSection {
  readonly title: string
  readonly comments: ReadonlyArray<string>
  readonly name?: string | undefined
  readonly call?: ConvertedCall | undefined
  /** Where it is sent. Absent in formats that name no address, whose requests are for any network. */
  readonly url?: ConvertedUrl | undefined
  /** The id of its network, where the file names one. */
  readonly network?: string | undefined
  /** Expressions that hold for the result. */
  readonly checks: ReadonlyArray<string>
}

/** A method and its params, as text of the language. */
export interface ConvertedCall {
  readonly method: string
  readonly params: string
  /** Comments beside its params. */
  readonly comments?: ReadonlyArray<string> | undefined
  /** The version of JSON-RPC, where it is not 2.0. */
  readonly jsonrpc?: "1.0" | undefined
}

/** A URL as `rpc.config.json` may hold it: every part of it that could be a key is the name of a secret. */
export interface ConvertedUrl {
  /** Absent where it is not known: its network has none until somebody writes one, so nothing is sent elsewhere meanwhile. */
  readonly url?: string | undefined
  /** A name for its network, from its host. */
  readonly host: string
  readonly secrets: ReadonlyArray<string>
  /** What was left out or has to be looked at, as words for the user, without keys. */
  readonly problems: ReadonlyArray<string>
}

/** Reads a file that the one that is imported mentions, by its path there. Which files may be read is for this function to say. */
export type ReadMentioned = (path: string) => FileText
