/** `dotrpc import`: converts a file of another tool. */
import { type Converted, readCast, readCurl, readHttp, readIo, readPostman } from "@dotrpc/lang-service"
import { Command } from "effect/cli"
import { importOpenRpcCommand } from "./importOpenRpc.ts"
import { importRequestsCommand } from "./importRequests.ts"

/** The parser of scripts is loaded for them only. */
const readViem = async (text: string): Promise<Converted> => (await import("@dotrpc/lang-service/viem")).readViem(text)

export const importCommand = Command.make("import").pipe(
  Command.withDescription("Convert a file of another tool"),
  Command.withSubcommands([
    importOpenRpcCommand,
    importRequestsCommand("http", readHttp, "an .http file"),
    importRequestsCommand("curl", readCurl, "a file of curl commands"),
    importRequestsCommand("cast", readCast, "a file of cast commands"),
    importRequestsCommand("postman", readPostman, "a Postman collection"),
    importRequestsCommand("viem", readViem, "a script for viem"),
    importRequestsCommand("io", readIo, "a golden .io file"),
  ]),
)
