/** What providers of JSON-RPC charge: one price sheet each, with its sources. */
export { providerOf } from "./Hosts.ts"
export { providers, sheetOf, sheets } from "./Sheets.ts"
