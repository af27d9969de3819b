#!/usr/bin/env node
/** solc as a native program, for forge: the compiler from npm behind the two things that forge asks for. */
import { text } from "node:stream/consumers"
import solc from "solc"

process.stdout.write(
  process.argv.includes("--standard-json")
    ? solc.compile(await text(process.stdin))
    : `solc, the solidity compiler commandline interface\nVersion: ${solc.version()}\n`,
)
