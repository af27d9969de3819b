/** The same suite, run by hardhat. */
import { createRequire } from "node:module"
import { join } from "node:path"
import { defineConfig } from "hardhat/config"

const written = process.env["SUITE_FOLDER"] ?? "."

export default defineConfig({
  solidity: { version: "0.8.37", path: createRequire(import.meta.url).resolve("solc/soljson.js") },
  paths: {
    sources: join(import.meta.dirname, "contracts"),
    tests: { solidity: join(import.meta.dirname, "test") },
    cache: join(written, "cache"),
    artifacts: join(written, "artifacts"),
  },
  test: { solidity: { rpcCachePath: join(written, "rpc") } },
})
