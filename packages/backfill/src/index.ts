/** Durable backfills: ranges of blocks that many workers read together, each item written once. */
export { callsLeft, divide, type Division } from "./Division.ts"
export * as Engine from "./Engine.ts"
export { flush, layoutOf } from "./Flush.ts"
export * as Lanes from "./Lanes.ts"
export type { Layout } from "./Layout.ts"
export { lastingTroubleOf, type LegEnd, type LegOptions, runLeg } from "./leg.ts"
export { manifestName, manifestText, writeManifest } from "./Manifest.ts"
export * as Metrics from "./Metrics.ts"
export type { Backfill, Format, Order, Output, Part, Piece, State } from "./Order.ts"
export {
  type Answered,
  FileProblem,
  PartFiles,
  partName,
  type PartToWrite,
  type Spool,
  type SpoolName,
} from "./PartFiles.ts"
export { type Circumstances, type Status, statusOf, type WorkerStatus } from "./Status.ts"
export * as Store from "./Store.ts"
export { blockOf, type Ends, findEnds, type Target, Targets } from "./Targets.ts"
export { storeWords } from "./words.ts"
export * as Worker from "./Worker.ts"
