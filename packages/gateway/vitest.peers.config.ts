/** Suites that need a program which npm does not bring; `test:peers` runs them. */
import { defineConfig } from "vitest/config"
import base from "@dotrpc/vitest"

export default defineConfig({ ...base, test: { ...base.test, include: ["test/**/*.peers.ts"] } })
