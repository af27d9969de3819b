/** `dotrpc credits set`: sets what was spent today if the ledger cannot know it, because its files were damaged. */
import { CreditLedger } from "@dotrpc/core"
import { Price, PriceSheet } from "@dotrpc/spec"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { nameFlag } from "./names.ts"
import { setSpent } from "../Ledger.ts"
import { creditsArgument } from "./flags.ts"
import { ledgerFlags, openLedgerProject } from "./ledgerProject.ts"
import { Output } from "../Output.ts"

export const creditsSetCommand = Command.make(
  "set",
  {
    spent: creditsArgument("spent").pipe(
      Argument.withDescription("Credits spent since 00:00 UTC, or in the window of the account"),
    ),
    network: nameFlag("network", "networks").pipe(
      Flag.withMetavar("id"),
      Flag.withDescription("Set the balance of the account that this network is paid from"),
      Flag.optional,
    ),
    ...ledgerFlags,
  },
  Effect.fnUntraced(function* (flags) {
    const { spent } = flags
    const { stdout } = yield* Output
    const network = Option.getOrUndefined(flags.network)
    const { project, gate } = yield* openLedgerProject(flags, network)
    const [account] = CreditLedger.accountsOf(
      project.workspace.networks.flatMap((each) => (each.network.id === network ? [each.network] : [])),
    )
    yield* setSpent(project, account, spent, gate)
    const when = account === undefined ? "today" : PriceSheet.windowWords(account.prices.window)
    stdout.line(`${Price.showCredits(spent, account?.prices.unit)} spent ${when}`)
  }),
).pipe(
  Command.withDescription("Set what was spent today, after the ledger was damaged or credits were spent elsewhere"),
  Command.withExamples([
    { command: "dotrpc credits set 120000", description: "What the provider's dashboard says was spent today" },
  ]),
)
