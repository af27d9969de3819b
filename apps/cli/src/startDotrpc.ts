/** Runs a command as this process. */
import { dotrpc } from "./dotrpc.ts"
import { runToEnd } from "./ending.ts"
import { processHost } from "./processHost.ts"

export const startDotrpc = (args: ReadonlyArray<string>): void => {
  const host = processHost()
  runToEnd(dotrpc(args, host), host)
}
