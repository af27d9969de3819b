/** Editor features of the .rpc language: plain data in and out, from memory, never from the network. */
export { diagnostics, type EditorDiagnostic, rangeOf } from "./diagnostics.ts"
export { lenses, type RequestLens } from "./lenses.ts"
export { type DocumentSymbol, symbols } from "./symbols.ts"
export type { TextRange } from "./TextRange.ts"
