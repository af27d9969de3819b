/** The plugin of docs/plugins.md against a real Solana node. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { Json } from "@dotrpc/spec"
import { dotrpc, reportOf } from "../src/Dotrpc.ts"
import { surfpool } from "../src/Surfpool.ts"

const account = "83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri"
const binding = surfpool()
const require = createRequire(import.meta.url)
const dependencies = {
  "@dotrpc/spec": require.resolve("@dotrpc/spec/package.json"),
  effect: require.resolve("effect/package.json"),
}

describe.skipIf(binding === undefined)("the plugin that docs/plugins.md makes", () => {
  const folder = mkdtempSync(join(tmpdir(), "dotrpc-solana-"))
  const node = binding?.Surfnet.startWithConfig({ offline: true })
  afterAll(() => {
    node?.stop()
    rmSync(folder, { recursive: true })
  })

  const page = readFileSync(join(import.meta.dirname, "../../../docs/plugins.md"), "utf8")
  const fileOf = (path: string) => {
    const text = page.split(`\`${path}\`:\n\n\`\`\``)[1]?.split("\n```")[0]
    if (text === undefined) throw new Error(`docs/plugins.md does not show ${path}`)
    return text.slice(text.indexOf("\n") + 1)
  }
  const ask = async (params: Json.Json): Promise<Json.Json> => {
    const body = Json.stringify({ jsonrpc: "2.0", id: 1, method: "getBalance", params })
    const headers = { "content-type": "application/json" }
    return Json.parse(await (await fetch(node?.rpcUrl ?? "", { method: "POST", headers, body })).text())
  }

  it("reads what the node has, to the last lamport", async () => {
    node?.fundSol(account, 2 ** 60 + 2 ** 20)
    for (const path of ["src/getBalance.ts", "src/plugin.ts", "src/index.ts", "rpc.config.json", "example.rpc"]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), fileOf(path))
    }
    mkdirSync(join(folder, "node_modules/@dotrpc"), { recursive: true })
    for (const [name, manifest] of Object.entries(dependencies))
      symlinkSync(realpathSync(dirname(manifest)), join(folder, "node_modules", name))
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n')
    const compiler = join(dirname(require.resolve("typescript/package.json")), "bin/tsc")
    const options = "--target es2023 --module nodenext --strict --skipLibCheck --rewriteRelativeImportExtensions"
    const sources = ["--types", "", "--rootDir", "src", "--outDir", "dist", "src/index.ts"]
    execFileSync(process.execPath, [compiler, ...options.split(" "), ...sources], { cwd: folder })

    const env = { SOLANA_PORT: new URL(node?.rpcUrl ?? "").port }
    const run = await dotrpc(
      ["run", join(folder, "example.rpc"), "--trust", "--network", "local", "--format", "json"],
      env,
    )
    const { balance } = reportOf(run).requests
    expect(run.stderr + run.stdout).not.toContain('"rpc-error"')
    expect(balance?.failedChecks).toEqual([])
    const answer = await ask([account])
    const result = Json.isObject(answer) && Json.isObject(answer.result) ? answer.result : {}
    expect(Json.isObject(balance?.result) ? balance.result.value : undefined).toBe(result.value)
    expect(result.value).toBe(2n ** 60n + 2n ** 20n)
  })

  it("knows what the node means when it is behind", async () => {
    const text = `### a\n# @name behind\n# @network local\n# @retry 0\ngetBalance ["${account}", { "minContextSlot": 99999999999 }]\n`
    writeFileSync(join(folder, "behind.rpc"), text)
    const env = { SOLANA_PORT: new URL(node?.rpcUrl ?? "").port }
    const run = await dotrpc(["run", join(folder, "behind.rpc"), "--trust", "--format", "json"], env)
    expect(reportOf(run).requests["behind"]?.error).toMatchObject({ code: -32016, reason: "NodeBehind" })
    expect(run.exitCode).toBe(3)
  })
})
