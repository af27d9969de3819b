import { describePlugin } from "@dotrpc/plugin-kit/vitest"
import { L2Events } from "../src/index.ts"

describePlugin(L2Events.plugin, { goldens: new URL("io/", import.meta.url) })
