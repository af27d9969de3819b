import { describe, expect, it } from "vitest"
import { findViolations, type WorkspacePackage } from "../src/check.ts"

const packages: ReadonlyArray<WorkspacePackage> = [
  { name: "@dotrpc/spec", folder: "packages/spec/", declared: ["effect"] },
  { name: "@dotrpc/core", folder: "packages/core/", declared: ["@dotrpc/spec"] },
  { name: "@dotrpc/lang", folder: "packages/lang/", declared: [] },
  { name: "@dotrpc/plugin-evm", folder: "packages/plugin-evm/", declared: ["@dotrpc/spec", "@dotrpc/core"] },
  { name: "@dotrpc/cli", folder: "apps/cli/", declared: ["@dotrpc/core"] },
  { name: "dotrpc", folder: "apps/vscode/", declared: ["@dotrpc/core", "@dotrpc/cli"] },
]

const check = (path: string, text: string, expected: RegExp | undefined) =>
  it(`${expected === undefined ? "allows" : "refuses"} ${text} in ${path}`, () => {
    const found = findViolations(packages, [{ path, text }]).map((violation) => violation.message)
    if (expected === undefined) expect(found).toEqual([])
    else expect(found.join("\n")).toMatch(expected)
  })

describe("package edges", () => {
  check("packages/core/src/Retry.ts", 'import { RpcError } from "@dotrpc/spec"', undefined)
  check("packages/spec/src/Json.ts", 'import { Retry } from "@dotrpc/core"', /does not declare/)
  check("packages/plugin-evm/src/Evm.ts", 'import { Retry } from "@dotrpc/core"', /may not import "@dotrpc\/core"/)
  check("packages/lang/src/Parser.ts", 'export * from "@dotrpc/spec"', /does not declare/)
  check("packages/core/src/Retry.ts", 'import { x } from "../../spec/src/Json.ts"', /reach into another package/)
  check("packages/core/src/Retry.ts", 'const x = import("@dotrpc/lang")', /does not declare/)
  check("apps/cli/src/main.ts", 'import { Retry } from "@dotrpc/core"', undefined)
  check("apps/vscode/src/extension.ts", 'import { main } from "@dotrpc/cli"', /may not import the app/)
})

describe("fences", () => {
  check("packages/core/src/Retry.ts", 'import * as vscode from "vscode"', /stays in the extension/)
  check("packages/spec/src/Json.ts", 'import { HttpClient } from "effect/http"', /behind a port/)
  check("packages/core/src/HttpTransport.ts", 'import { readFileSync } from "node:fs"', /also runs in browsers/)
  check("packages/core/test/HttpTransport.test.ts", 'import { createServer } from "node:http"', undefined)
  check("packages/core/src/HttpTransport.ts", 'import { Effect } from "effect"', undefined)
})
