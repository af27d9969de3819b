/** A result that is one value in words. */
import { Table } from "@dotrpc/spec"

export const oneValue = (headline: string): Table.Table => ({ total: 1, columns: [], rows: [], headline })

/** `slot 312,400,000`. */
export const atSlot = (slot: number | bigint): string => `slot ${Table.groupDigits(slot)}`
