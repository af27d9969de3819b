/** For authors of plugins: conformance checks, golden files, and a recorder that spends little and keeps secrets out. */
export type { Check, ConformanceOptions, GoldenFile } from "./Check.ts"
export { pluginConformance } from "./Conformance.ts"
export { type Exchange, type Golden, GoldenError, noteOf, parseGolden, printGolden } from "./Golden.ts"
export { type Post, record, type RecordedCall, RecordError, type RecordOptions } from "./Record.ts"
export { type Difference, replay, type ReplayOptions } from "./Replay.ts"
