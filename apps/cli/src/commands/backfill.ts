/** `dotrpc backfill`: reads ranges that outgrow one run, one process or one machine. */
import { Command } from "effect/cli"
import { backfillStart } from "./backfillStart.ts"
import { backfillWorker } from "./backfillWorker.ts"
import { backfillResume } from "./backfillResume.ts"
import { backfillCancel, backfillPause, backfillStatus } from "./backfillState.ts"

export const backfillCommand = Command.make("backfill").pipe(
  Command.withDescription("Read a range of any length into files, durably: resumed after any crash, each item once"),
  Command.withSubcommands([
    backfillStart,
    backfillWorker,
    backfillStatus,
    backfillPause,
    backfillResume,
    backfillCancel,
  ]),
  Command.withExamples([
    {
      command: `dotrpc backfill start eth_getLogs '[{"fromBlock":"0x0","toBlock":"finalized"}]' --network evm --output logs`,
      description: "All logs of a chain, in parts",
    },
    {
      command: "dotrpc backfill start transfers.rpc --output transfers --format parquet",
      description: "The request of a file, as typed columns",
    },
    { command: "dotrpc backfill status --output logs", description: "How far is it?" },
  ]),
)
