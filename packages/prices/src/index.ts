/** What providers of JSON-RPC charge: one price sheet each, with its sources. */
export { providers, sheetOf, sheets } from "./Sheets.ts"
