/** The folder of a backfill, as its workers see it: spools of what was read, and parts made of them. */
import type { Json, Method } from "@dotrpc/spec"
import { Context, Data, type Effect, type Scope } from "effect"
import type { Layout } from "./Layout.ts"
import type { Format, Part } from "./Order.ts"

/** A file cannot be written or read; the message names it, and says what to do. */
export class FileProblem extends Data.TaggedError("FileProblem")<{ readonly said: string }> {
  override get message(): string {
    return this.said
  }
}

/** One answer, as it is spooled. */
export interface Answered {
  /** The first block that was not read after it. */
  readonly next: number
  readonly items: ReadonlyArray<Json.Json>
}

/** The spool of one piece and epoch. */
export interface Spool {
  /** What an earlier epoch has left in it: the first block that was not read, and the rows before it. */
  readonly found: { readonly next: number; readonly rows: number } | undefined
  /** Bytes written so far. */
  readonly bytes: () => number
  /** Ends when the answer has reached the disk. */
  readonly append: (answer: Answered) => Effect.Effect<void, FileProblem>
}

/** Names a spool. */
export interface SpoolName {
  readonly piece: number
  /** The first block that it has. */
  readonly base: number
  readonly epoch: number
}

/** A part to make of a spool: the items up to block `to`. */
export interface PartToWrite {
  readonly spool: SpoolName
  readonly method: Method
  /** What was asked. */
  readonly params: Json.Json
  readonly format: Format
  /** Its columns; absent for the items as received. */
  readonly layout?: Layout | undefined
  readonly from: number
  readonly to: number
}

/**
 * Where the files of one backfill are. All workers must see the same folder.
 *
 * Invariant: nothing has the name of a part unless it is whole, and nobody but the owner of its epoch writes it.
 */
export class PartFiles extends Context.Service<
  PartFiles,
  {
    /** Begins a spool with what the one of an earlier epoch has, if that is there. */
    readonly openSpool: (name: SpoolName, earlier: number | undefined) => Effect.Effect<Spool, FileProblem, Scope.Scope>
    /** Removes a spool that nobody needs any more. */
    readonly drop: (name: SpoolName) => Effect.Effect<void, FileProblem>
    /** Writes a part whole, under its name. Fails if the spool does not have all of its blocks. */
    readonly write: (part: PartToWrite) => Effect.Effect<Part, FileProblem>
    /**
     * Replaces the manifest as a whole. Where the one that is there has a higher revision, `isNewest` says whether that is nobody's:
     * it fails in a process that was frozen until others went on.
     */
    readonly writeManifest: <E>(
      text: string,
      revision: number,
      isNewest: Effect.Effect<boolean, E>,
    ) => Effect.Effect<void, FileProblem | E>
    /** Removes spools, and parts that are not listed, of blocks up to `to`: nobody writes there any more. */
    readonly clean: (done: {
      readonly to: number
      readonly parts: ReadonlyArray<string>
    }) => Effect.Effect<void, FileProblem>
  }
>()("@dotrpc/backfill/PartFiles") {}

/**
 * The name of a part: its blocks, and the epoch of the owner who wrote it. One that was frozen and wakes up writes another file than
 * the one who has taken over.
 */
export const partName = ({ format, from, spool, to }: Omit<PartToWrite, "method">): string =>
  `blocks-${digits(from)}-${digits(to)}-${spool.epoch}.${format}`

/** Names sort as their blocks do. */
const digits = (block: number): string => String(block).padStart(12, "0")
