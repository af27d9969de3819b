/** The server in a process of its own, as an editor starts it, with a watchdog on its thread. */
import { slowness, watchThread } from "@dotrpc/bombs"
import { createConnection } from "vscode-languageserver/node"
import { serve } from "../../src/index.ts"
import { makeHost } from "../host.ts"

const { longest } = watchThread()

process.on("message", async (question) => {
  process.send?.(question === "slowness" ? slowness() : await longest())
})
process.on("disconnect", () => process.exit())
serve(createConnection(process.stdin, process.stdout), makeHost({}), { quietMillis: 0 })
