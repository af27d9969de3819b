/** `dotrpc run`: runs saved requests and reports results and costs. */
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { cassetteFlags } from "../Cassettes.ts"
import { reportChoices } from "../ReportFormat.ts"
import {
  allowHostFlag,
  chosenFlags,
  compareFlag,
  configFlag,
  creditsFlag,
  environmentFlag,
  keepFlag,
  requestsArgument,
  networkFlag,
  pricesFlag,
  strictFlag,
  traceFlag,
  trustFlag,
  variablesFlag,
  wholeNumberFlag,
  reportFlags,
} from "./flags.ts"
import { runRequests } from "./runRequests.ts"

export const runCommand = Command.make(
  "run",
  {
    files: requestsArgument,
    env: environmentFlag,
    network: networkFlag,
    compare: compareFlag,
    ...chosenFlags,
    vars: variablesFlag,
    maxCredits: creditsFlag("max-credits").pipe(
      Flag.withDescription("Refuse to spend more than this in the whole run"),
      Flag.optional,
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Show what would run and what it would cost; send nothing"),
      Flag.withDefault(false),
    ),
    prices: pricesFlag,
    ...reportFlags,
    allowWrites: Flag.Boolean("allow-writes").pipe(
      Flag.withDescription(
        "Also run requests that change something, such as eth_sendRawTransaction, without naming them",
      ),
      Flag.withDefault(false),
    ),
    update: Flag.Boolean("update").pipe(
      Flag.withDescription("Write the results of ?? snapshot again, and remove snapshots that no request uses"),
      Flag.withDefault(false),
    ),
    resume: Flag.Boolean("resume").pipe(
      Flag.withDescription("Send only the rows of # @each that an earlier run of the file has not paid for"),
      Flag.withDefault(false),
    ),
    reuse: Flag.Boolean("reuse").pipe(
      Flag.withDescription(
        "Use the results of the last hour of requests that others read from, unless --name names them; send the rest",
      ),
      Flag.withDefault(false),
    ),
    keep: keepFlag,
    allOrNothing: Flag.Boolean("all-or-nothing").pipe(
      Flag.withDescription(
        "Send nothing where a request is wrong or the run may exceed a limit (default in CI; --no-all-or-nothing sends the rest)",
      ),
      Flag.optional,
    ),
    bail: Flag.Boolean("bail").pipe(
      Flag.withDescription("Stop after the first request that fails"),
      Flag.withDefault(false),
    ),
    parallel: wholeNumberFlag("parallel", 1).pipe(
      Flag.withDescription("Requests to run at once (default: 1)"),
      Flag.withDefault(1),
    ),
    ...cassetteFlags,
    config: configFlag,
    trust: trustFlag,
    strict: strictFlag,
    allowHosts: allowHostFlag,
    trace: traceFlag,
    quiet: Flag.Boolean("quiet").pipe(
      Flag.withDescription(
        "Show only what failed and the totals; with a machine format, only the report and what failed",
      ),
      Flag.withDefault(false),
    ),
  },
  Effect.fnUntraced(function* (flags) {
    return yield* runRequests({ ...flags, ...(yield* reportChoices(flags)) })
  }),
).pipe(
  Command.withDescription("Run saved requests and report results, checks and credits"),
  Command.withExamples([
    { command: "dotrpc run examples/quickstart.rpc", description: "Run a file on the networks it names" },
    {
      command: "dotrpc run 'requests/**/*.rpc' --max-credits 5000 --format json",
      description: "In CI, with a limit",
    },
    { command: "dotrpc run logs.rpc --name transfers --dry-run", description: "What would this request cost?" },
    { command: "dotrpc run logs.rpc --compare other", description: "Is the other network the same, and cheaper?" },
  ]),
)
