/** One suite over a fork, as forge and hardhat run it: with the compiler from npm, and with what it writes in a folder of its own. */
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { foundryBinary } from "./Foundry.ts"

const suite = join(import.meta.dirname, "../suites/ledger")

/** The commands, by their tool. `written` is the folder that they write into, and the ledger is what they read. */
export const suites = (ledger: string, written: string) => {
  const withLedger = ["/usr/bin/env", `LEDGER=${ledger}`, `SUITE_FOLDER=${written}`]
  const hardhat = join(dirname(createRequire(import.meta.url).resolve("hardhat/package.json")), "dist/src/cli.js")
  const solc = join(suite, "../solc.mjs")
  const own = ["--out", join(written, "out"), "--cache-path", join(written, "forge")]
  return {
    forge: [...withLedger, foundryBinary("forge"), "test", "--root", suite, "--threads", "1", "--use", solc, ...own],
    hardhat: [
      ...withLedger,
      process.execPath,
      hardhat,
      "test",
      "solidity",
      "--config",
      join(suite, "hardhat.config.ts"),
    ],
  }
}
