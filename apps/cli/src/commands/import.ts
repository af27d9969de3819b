/** `dotrpc import`: converts a file of another tool. */
import { readCurl, readHttp, readIo } from "@dotrpc/lang-service"
import { Command } from "effect/cli"
import { importOpenRpcCommand } from "./importOpenRpc.ts"
import { importRequestsCommand } from "./importRequests.ts"

export const importCommand = Command.make("import").pipe(
  Command.withDescription("Convert a file of another tool"),
  Command.withSubcommands([
    importOpenRpcCommand,
    importRequestsCommand("http", readHttp, "an .http file"),
    importRequestsCommand("curl", readCurl, "a file of curl commands"),
    importRequestsCommand("io", readIo, "a golden .io file"),
  ]),
)
