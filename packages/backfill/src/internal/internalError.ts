/** What people read about a defect. Its own message may quote what is secret. */
export const internalError = (defect: unknown): string =>
  `internal error, please report: ${defect instanceof Error ? defect.name : typeof defect}`
