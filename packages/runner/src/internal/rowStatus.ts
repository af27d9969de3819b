/** What the status of one row means for the whole. */
import type { RequestReport } from "../RunEvent.ts"

/** Whether its call was paid for and needs not be made again. */
export const isPaid = ({ status }: RequestReport): boolean =>
  status === "ok" || status === "check-failed" || status === "rpc-error"

export const isGoodRow = ({ expected, status }: RequestReport): boolean => status === "ok" || expected === true

/** `1 row`, `1,000 rows`. */
export const countedRows = (rows: number): string => `${rows.toLocaleString("en")} ${rows === 1 ? "row" : "rows"}`
