/** Files of columns on this machine's disk. */
export * as ColumnFile from "./ColumnFile.ts"
