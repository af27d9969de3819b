import base from "@dotrpc/vitest"
import { mergeConfig } from "vitest/config"

// A command leaves traces in the process that it runs in, such as an exit code and listeners for signals.
export default mergeConfig(base, { test: { isolate: true } })
