/** A log as a contract emits it, before it has a place in the chain. */
import type { Log } from "../../ChainJson.ts"

export type RawLog = Pick<Log, "address" | "topics" | "data">
