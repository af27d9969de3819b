/** What `dotrpc` alone says: how to begin. */
import type { Colors } from "./colors.ts"

const steps: ReadonlyArray<readonly [command: string, does: string]> = [
  ["dotrpc init", "your endpoint, in three questions"],
  ["dotrpc call eth_blockNumber", "one call, with its price"],
  ["dotrpc run FILE.rpc --dry-run", "what a file would cost; sends nothing"],
  ["dotrpc meter -- npm test", "a bill and a limit for any tool"],
  ["dotrpc scan FILE.rpc --dry-run", "what a year of logs would cost"],
  ["dotrpc mcp FILE.rpc", "an agent with a purse"],
  ["dotrpc explain WORD", "a code, a function, a method"],
]

export const beginning = (colors: Colors): string =>
  [
    "Saved RPC requests that know what they cost",
    "",
    ...steps.map(([command, does]) => `  ${colors.bold(command)}${" ".repeat(34 - command.length)}${does}`),
    "",
    "dotrpc --help lists every command, and dotrpc COMMAND --help its flags.",
  ].join("\n")
