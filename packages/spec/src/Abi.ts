/**
 * What is known about contracts outside the chain: declarations of their functions, events and errors, as every tool
 * writes them down, and how a plugin reads them. It decides how results are shown and which names its functions know,
 * never what is kept.
 */
import type { Json, JsonObject } from "./Json.ts"
import type { Network } from "./Network.ts"
import type { ParamPath } from "./Params.ts"
import type { Steps } from "./Steps.ts"
import type { TokenUnits } from "./Units.ts"

/** Items of an ABI as JSON. Where two describe the same thing, the earlier one is believed. */
export type Abi = ReadonlyArray<JsonObject>

/** How a family reads what a person or a compiler wrote about a contract. */
export interface AbiReader {
  /** An example of what {@link AbiReader.declaration} reads, for messages and completion. */
  readonly example: string
  /** One declaration as a person writes it, from a line of `# @abi`. */
  readonly declaration: (text: string) => AbiReading
  /** A parsed JSON file: an ABI, or what a compiler wrote around one. */
  readonly document: (document: Json) => AbiReading
  /** As `document`, with the same outcome, in steps, for files with many items. */
  readonly readingDocument?: ((document: Json) => Steps<AbiReading>) | undefined
}

/** The items, or in words what is wrong, with the UTF-16 offsets of the text that is, where they are known. */
export type AbiReading =
  | { readonly abi: Abi }
  | {
      readonly problem: string
      readonly start?: number | undefined
      readonly end?: number | undefined
      /** The path to the wrong value in a file. */
      readonly path?: ParamPath | undefined
    }

/** What a value in params stands for, as the function that made it says. It is read by the plugin of that function only. */
export interface Meant {
  readonly path: ParamPath
  readonly meaning: JsonObject
}

/** The params that a result answers. */
export interface Sent {
  readonly params: Json
  readonly meanings: ReadonlyArray<Meant>
}

/** What is known beside a result or an error when it is decoded. */
export interface DecodeContext {
  readonly abi?: Abi | undefined
  readonly sent?: Sent | undefined
}

/** An error of the server, decoded. */
export interface DecodedError {
  readonly value: Json
  /** In a few words: `InsufficientBalance(available: 5, required: 10)`. */
  readonly text: string
}

/** What is known beside a result when it is shown. A result can always be shown without it. */
export interface RenderContext extends DecodeContext {
  /** The whole result, where a part of it is drawn: the columns are those of all of it. */
  readonly all?: Json | undefined
  /** Where the result came from: its explorer is linked to. */
  readonly network?: Pick<Network, "explorer"> | undefined
  /** The label of an address, written whole in any spelling. */
  readonly label?: ((address: string) => string | undefined) | undefined
  /** The IANA name of the zone that times are shown in, `"Europe/Paris"`; that of the machine when absent. */
  readonly timeZone?: string | undefined
  /** Addresses, hashes and other values are shown whole: rows are filtered, copied and saved by them. */
  readonly whole?: boolean | undefined
  /** The time of a block that another result has shown, in seconds since 1970, by its hash; nothing is asked for it. */
  readonly blockTime?: ((hash: string) => bigint | undefined) | undefined
  /** The units for amounts of a token: those in its own logs, and those that a call returned. */
  readonly units?: TokenUnits | undefined
}
