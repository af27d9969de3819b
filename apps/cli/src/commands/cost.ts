/** `dotrpc cost`: what a change of the requests costs, before it is merged. Sends nothing. */
import { ExitCode } from "@dotrpc/runner"
import { Json } from "@dotrpc/spec"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { commitOf, prefix } from "../cost/Git.ts"
import { type Side, sideHere, sideOfCommit } from "../cost/Side.ts"
import { type Increase, isAbove, parseIncrease } from "../meter/Bill.ts"
import { Output } from "../Output.ts"
import { sheetsOf } from "../PriceSheets.ts"
import { costAnnotations, costJson, costMarkdown, showCost } from "../render/cost.ts"
import { environmentFlag, trustFlag, wholeNumberFlag } from "./flags.ts"
import { usage } from "./scanTarget.ts"

export const costCommand = Command.make(
  "cost",
  {
    range: Argument.String("base[..head]").pipe(
      Argument.withDescription(
        "What to compare with (default: HEAD), and what to compare (default: the working folder)",
      ),
      Argument.optional,
    ),
    prices: Flag.String("prices").pipe(
      Flag.withMetavar("id,id"),
      Flag.withDescription("Also show what these providers would charge; dotrpc prices lists them"),
      Flag.optional,
    ),
    runsPerDay: wholeNumberFlag("runs-per-day", 1).pipe(
      Flag.withDescription("Also show what so many runs a day cost, and their share of a provider's allowance"),
      Flag.optional,
    ),
    format: Flag.Literals("format", ["pretty", "json", "markdown", "github"]).pipe(
      Flag.withDescription("What to write to stdout (default: pretty)"),
      Flag.withDefault("pretty"),
    ),
    maxIncrease: Flag.String("max-increase").pipe(
      Flag.withMetavar("n%|n"),
      Flag.filterMap(
        (text) => Option.fromUndefinedOr(parseIncrease(text)),
        () => "a part such as 10%, or a number of credits",
      ),
      Flag.withDescription("Exit with code 4 where a run may cost so much more than before"),
      Flag.optional,
    ),
    env: environmentFlag,
    trust: trustFlag,
  },
  Effect.fnUntraced(function* (flags) {
    const { stderr, stdout, writeJson } = yield* Output
    const sheets = yield* sheetsOf(flags.prices)
    const { base, head } = yield* namesIn(Option.getOrElse(flags.range, () => "HEAD"))
    yield* prefix
    const side = { env: flags.env, trust: flags.trust, sheets }
    const before = yield* sideOfCommit(yield* commitOf(base), side)
    const after = yield* head === undefined
      ? sideHere(side)
      : Effect.flatMap(commitOf(head), (id) => sideOfCommit(id, side))
    const named = { base, head: head ?? "the working folder" }
    stderr.lines(before.problems.map((problem) => `dotrpc: warning: ${base}: ${problem}`))
    stderr.lines(after.problems.map((problem) => `dotrpc: ${named.head}: ${problem}`))
    const isKnown = before.problems.length + after.problems.length > 0
    if (before.files.size + after.files.size === 0)
      return yield* usage(
        ...(isKnown
          ? []
          : [`neither ${base} nor ${named.head} has a .rpc file or a \`\`\`rpc fence here: nothing can be compared`]),
      )
    if (before.files.size === 0 && before.problems.length === 0)
      stderr.line(`dotrpc: ${base} has no request here: all of ${named.head} is new`)
    const comparison = { ...named, before, after, runsPerDay: Option.getOrUndefined(flags.runsPerDay) }
    if (flags.format === "json") writeJson(`${Json.stringify(costJson(comparison), 2)}\n`)
    else if (flags.format === "pretty") stdout.write(`${showCost(comparison, stdout.colors)}\n`)
    else
      for (const line of flags.format === "github" ? costAnnotations(comparison) : costMarkdown(comparison))
        stdout.line(line)
    if (after.problems.length > 0) return yield* new CommandFailed({ lines: [], exitCode: ExitCode.invalid })
    if (before.problems.length > 0 && Option.isSome(flags.maxIncrease))
      return yield* new CommandFailed({
        lines: [
          `the price of ${base} is not complete, so --max-increase cannot be checked: mend the files named above, or compare with another commit`,
        ],
        exitCode: ExitCode.invalid,
      })
    if (Option.exists(flags.maxIncrease, (increase) => mayRise(before, after, increase)))
      return yield* new CommandFailed({
        lines: [`${named.head} may cost more than --max-increase allows beyond ${named.base}`],
        exitCode: ExitCode.refused,
      })
  }),
).pipe(
  Command.withDescription("Compare what the saved requests cost on both sides of a git range; sends nothing"),
  Command.withExamples([
    { command: "dotrpc cost main", description: "What does this branch cost more?" },
    {
      command: "dotrpc cost origin/main..HEAD --format markdown --max-increase 10%",
      description: "In CI: a comment, and exit code 4 where a run costs a tenth more",
    },
    { command: "dotrpc cost --prices alchemy,infura --runs-per-day 1440", description: "By provider and by day" },
  ]),
)

/** The two names of a range; without the second one, the working folder. */
const namesIn = Effect.fnUntraced(function* (range: string) {
  const [base = "", head, ...more] = range.split("..")
  if (more.length > 0 || head?.startsWith(".") === true || base === "")
    return yield* usage(`"${range}" is not a range: write BASE, or BASE..HEAD`)
  return { base, head: head === "" ? "HEAD" : head }
})

/** Whether the most, or where there is none the least, rises by more than is allowed. */
const mayRise = ({ total: before }: Side, { total: after }: Side, increase: Increase): boolean =>
  (before.max !== undefined && after.max === undefined) ||
  isAbove(before.min, after.min, increase) ||
  (before.max !== undefined && after.max !== undefined && isAbove(before.max, after.max, increase))
