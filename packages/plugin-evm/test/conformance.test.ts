import { describePlugin } from "@dotrpc/plugin-kit/vitest"
import { Evm } from "../src/index.ts"

describePlugin(Evm.plugin, { goldens: new URL("io/", import.meta.url) })
