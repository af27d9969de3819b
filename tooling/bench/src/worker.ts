/** The process that measures one contender: `worker.ts SUITE CONTENDER` writes its figure to stdout. */
import * as accounts from "./accounts.ts"
import * as decode from "./decode.ts"
import * as files from "./files.ts"
import * as ledgers from "./ledgers.ts"
import type { Suite } from "./measure.ts"

const suites: Readonly<Record<string, Suite>> = { accounts, decode, files, ledgers }

const [, , name = "", contender = ""] = process.argv
const suite = suites[name]
if (suite === undefined) throw new Error(`There is no suite "${name}"; there are ${Object.keys(suites).join(", ")}.`)
const figure = await suite.measure(contender)
process.stdout.write(String(figure), () => process.exit())
