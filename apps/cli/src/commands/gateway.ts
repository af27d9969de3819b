/** `dotrpc gateway`: the metered service itself, on this machine. */
import { chainFromNdjson, generateChain } from "@dotrpc/gateway"
import { serve } from "@dotrpc/gateway/server"
import { Effect } from "effect"
import { Command } from "effect/cli"

export const gatewayCommand = Command.make(
  "gateway",
  {},
  Effect.fnUntraced(function* () {
    yield* Effect.never
  }),
)
