import { describePlugin } from "@dotrpc/plugin-kit/vitest"
import { TokenAccounts } from "../src/index.ts"

describePlugin(TokenAccounts.plugin, { goldens: new URL("io/", import.meta.url) })
