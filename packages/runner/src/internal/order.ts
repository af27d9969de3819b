/** The order of the reports of a document. */
import type { RequestReport } from "../RunEvent.ts"

/** Requests of imported files come before those of the document, which stand as they do in its text. */
export const inOrder = ({ request: left }: RequestReport, { request: right }: RequestReport): number =>
  Number(right.origin !== undefined) - Number(left.origin !== undefined) || left.index - right.index
