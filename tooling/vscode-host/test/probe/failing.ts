/** Runs inside the extension host and must be reported as failing, although a later flow succeeds. */
import { runFlows, sameJson } from "@dotrpc/vscode-host/in-host"

export const run = (): Promise<void> =>
  runFlows({
    "two is one": () => sameJson(2, 1),
    "one is one": () => sameJson(1, 1),
  })
