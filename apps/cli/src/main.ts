/** `dotrpc` as a process. */
// oxlint-disable-next-line import/no-unassigned-import -- Its listeners must be there before anything else is loaded.
import "./signals.ts"
import { dotrpc } from "./dotrpc.ts"
import { runToEnd } from "./ending.ts"
import { processHost } from "./processHost.ts"

const host = processHost()
runToEnd(dotrpc(process.argv.slice(2), host), host)
