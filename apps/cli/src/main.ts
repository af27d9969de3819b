#!/usr/bin/env node
/** `dotrpc` as a process. Loads only what the arguments need: most of a short command is loading. */
// oxlint-disable-next-line import/no-unassigned-import -- Its listeners must be there before anything else is loaded.
import "./signals.ts"
import module from "node:module"
import { homedir } from "node:os"
import { join } from "node:path"
import { cacheFolder } from "./CacheFolder.ts"
import { keepHeapSmall } from "./smallHeap.ts"
import { versionLine } from "./version.ts"

/** What Node has compiled is kept for the next start, where it can: from version 22.1 on. */
const keepCompiled = (): void => {
  if (!("enableCompileCache" in module)) return
  const { env, platform } = process
  const folder = cacheFolder({ env, home: homedir(), platform, user: process.getuid?.() })
  if (folder !== undefined) module.enableCompileCache(join(folder, "compiled"))
}

const args = process.argv.slice(2)
if (args.length === 1 && args[0] === "--version") process.stdout.write(`${versionLine}\n`)
else {
  if (args[0] === "backfill" || args[0] === "scan") keepHeapSmall()
  keepCompiled()
  const { startDotrpc } = await import("./startDotrpc.ts")
  startDotrpc(args)
}
