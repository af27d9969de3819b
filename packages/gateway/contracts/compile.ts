/** Compiles the sample contracts: `node contracts/compile.ts` in this package, after a change of a source beside this file. */
import { writeFileSync } from "node:fs"
import { compiledSource } from "./compiled.ts"

writeFileSync(new URL("../src/chain/generate/contracts/code.ts", import.meta.url), compiledSource())
