/** Runs inside the extension host. */
import { runBombs } from "./askBombs.ts"

export const run = (): Promise<void> => runBombs()
