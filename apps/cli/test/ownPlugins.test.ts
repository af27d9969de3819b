/** Plugins that a project brings itself, named in its `rpc.config.json`. */
import { analyze, makeWorkspace } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import { lineIndex, positionAt } from "@dotrpc/lang/locate"
import { completion } from "@dotrpc/lang-service"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { dirname, join } from "node:path"
import { isDeep } from "@dotrpc/vitest/depth"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"
import { bundledMeter, meterSource } from "./ownPlugin/bundledMeter.ts"
import { spawnAt } from "./process.ts"

/** The key of the address. */
const secret = "5ecre7-0f-7he-me7er"

/** A project in a folder of its own. */
const project = (
  plugins: ReadonlyArray<string>,
  files: Readonly<Record<string, string>>,
  url = "http://127.0.0.1:2",
) => {
  const folder = temporaryFolder()
  const texts = {
    "rpc.config.json": JSON.stringify({ plugins, networks: { home: { plugin: "meter", url } } }),
    "requests.rpc": '### a\n# @name main\nmeter_read ["main", {{tariff()}}]\n?? result.value == 1.5\n',
    ...files,
  }
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

const run = (folder: string, ...args: ReadonlyArray<string>) =>
  startAt({}, "run", join(folder, "requests.rpc"), "--trust", ...args).outcome

/**
 * As `run`, with modules found and imported as Node does it: each takes a process. A landing imports them here, where Vitest hands the
 * modules of temporary folders to Node.
 */
const runProcess = (folder: string) =>
  isDeep ? spawnAt({}, "run", join(folder, "requests.rpc"), "--trust").outcome : run(folder)

const answers: Readonly<Record<string, string>> = {
  main: '"result":{"value":1.50,"unit":"kWh"}',
  broken: `"result":{"value":"off","since":18446744073709551615,"via":"/v3/${secret}"}`,
}

/** The plugin with copies of everything it needs inside it, as a build tool makes it. */
let bundled = ""
const asked: Array<string> = []
const node = createServer((request, response) => {
  let body = ""
  request.on("data", (chunk: Buffer) => (body += chunk.toString()))
  request.on("end", () => {
    asked.push(body)
    const id = /"id":(\d+)/.exec(body)?.[1]
    const name = /"params":\["(\w+)"/.exec(body)?.[1] ?? ""
    response.end(`{"jsonrpc":"2.0","id":${id},${answers[name] ?? '"error":{"code":-1,"message":"no such meter"}'}}`)
  })
})
let url = ""

beforeAll(async () => {
  bundled = await bundledMeter()
  await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve))
  url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
})
afterAll(() => void node.close())

describe("a plugin that was built with its own copy of everything", () => {
  it("is priced, checked, called and drawn, with every digit", async () => {
    const folder = project(["./meter.mjs"], { "meter.mjs": bundled }, url)
    const { code, stderr, stdout } = await run(folder)
    expect(stderr).toBe("")
    expect(stdout).toContain("shows 1.50 · ")
    expect(stdout).toContain("7 credits spent")
    expect(code).toBe(0)
    expect(asked.at(-1)).toContain('"params":["main",0.50]')
    const report = await run(folder, "--format", "json")
    expect(report.stdout).toMatch(/"value": 1\.50,\s+"unit": "kWh"/)
  })
  it("has its params checked before anything is sent", async () => {
    const folder = project(["./meter.mjs"], { "meter.mjs": bundled, "requests.rpc": "### a\nmeter_read [5]\n" }, url)
    const before = asked.length
    const { code, stdout } = await run(folder)
    expect(stdout).toMatch(/requests\.rpc:2:13 error A105 .*expected a string, found 5/)
    expect(code).toBe(2)
    expect(asked.length).toBe(before)
  })
  it("shows a result that its schema does not allow, with the place to look at", async () => {
    const requests = { "requests.rpc": '### a\nmeter_read ["broken"]\n' }
    const folder = project(["./meter.mjs"], { "meter.mjs": bundled, ...requests }, `${url}/v3/${secret}`)
    const shown = await run(folder)
    expect(shown.stdout).toMatch(/✓ a [^]*result\.value: .*found "off"/)
    expect(shown.stdout).toMatch(/shows "off"/)
    const { code, stdout } = await run(folder, "--format", "json")
    const [request] = JSON.parse(stdout).files[0].requests
    expect(request).toMatchObject({
      status: "ok",
      credits: 7,
      notes: [expect.stringMatching(/result\.value: .*found "off"/)],
    })
    expect(stdout).toMatch(/"result": \{\s+"value": "off",\s+"since": 18446744073709551615,\s+"via": "\/v3\/•••"/)
    expect(code).toBe(0)
    expect(shown.stdout + stdout).not.toContain(secret)
  })
  it("says what an error of the server means", async () => {
    const folder = project(["./meter.mjs"], { "meter.mjs": bundled, "requests.rpc": '### a\nmeter_read ["x"]\n' }, url)
    const { code, stdout } = await run(folder, "--format", "json")
    expect(stdout).toMatch(/"reason": "NotFound",\s+"message": ".*no such meter, says the plugin"/)
    expect(code).toBe(3)
  })
  it("completes the params of a call with what the file already uses, where it fits", async () => {
    const { plugin } = await import(`data:text/javascript,${encodeURIComponent(bundled)}`)
    const { workspace } = makeWorkspace({
      plugins: [plugin],
      config: { networks: { home: { plugin: "meter", url } } },
      now: 0,
    })
    const offered = (text: string) => {
      const document = { analysis: analyze(parse(text), workspace), lines: lineIndex(text) }
      return completion(document, positionAt(text, text.lastIndexOf('"'))).map(({ label }) => label)
    }
    const known = "0x00000000000000000000000000000000000000a1"
    const before = `### a\nmeter_read ["${known}"]\n\n### b\nmeter_read `
    expect(offered(`${before}[""]\n`)).toContain(known)
    const days = offered(`${before}["other", 1, ""]\n`)
    expect(days).toContain("today")
    expect(days).not.toContain(known)
  })
  it("may have networks with addresses", async () => {
    const { code, stdout } = await run(project(["./meter.mjs"], { "meter.mjs": bundled }, url), "--network", "closed")
    expect(stdout).toContain("could not connect to 127.0.0.1:2")
    expect(code).toBe(3)
  })
})

describe("an entry is", () => {
  const check = (what: string, entry: string, files: () => Readonly<Record<string, string>>) =>
    it(what, async () => {
      const { code, stderr, stdout } = await runProcess(project([entry], files(), url))
      expect(stdout + stderr).toContain("shows 1.50 · ")
      expect(code).toBe(0)
    })
  const manifest = (members: object) => JSON.stringify({ name: "meter", version: "1.0.0", type: "module", ...members })
  const inPackage = (members: object, module: string, name = "meter") => ({
    [`node_modules/${name}/package.json`]: manifest(members),
    [`node_modules/${name}/${module}`]: bundled,
  })
  check("a module beside the configuration", "./meter.mjs", () => ({ "meter.mjs": bundled }))
  check("a module whose default export is the plugin", "./default.mjs", () => ({
    "meter.mjs": bundled,
    "default.mjs": 'export { plugin as default } from "./meter.mjs"\n',
  }))
  check("a module that has another default export", "./both.mjs", () => ({
    "meter.mjs": bundled,
    "both.mjs": 'export { plugin } from "./meter.mjs"\nexport default {}\n',
  }))
  check("a module of a folder below", "./plugins/meter.js", () => ({
    "plugins/meter.js": bundled,
    "plugins/package.json": '{"type":"module"}',
  }))
  check("a package with exports", "meter", () => inPackage({ exports: { ".": { import: "./m.js" } } }, "m.js"))
  check("a package with one export", "meter", () => inPackage({ exports: "./m.js" }, "m.js"))
  check("a package with main", "meter", () => inPackage({ main: "lib/m.js" }, "lib/m.js"))
  check("a package with neither", "meter", () => inPackage({}, "index.js"))
  check("a part of a package in a scope", "@acme/meter/plugin", () =>
    inPackage({ exports: { "./plugin": { types: "./x.d.ts", default: "./m.js" } } }, "m.js", "@acme/meter"),
  )
  it("TypeScript, where Node reads it", async () => {
    const folder = project(["./meter.ts"], {}, url)
    symlinkSync(meterSource, join(folder, "meter.ts"))
    const { code, stdout } = await spawnAt({}, "run", join(folder, "requests.rpc"), "--trust").outcome
    expect(stdout).toContain("shows 1.50 · ")
    expect(code).toBe(0)
  })
})

describe("a plugin that cannot be used is named with the reason, and nothing runs", () => {
  const check = (
    what: string,
    entries: ReadonlyArray<string>,
    files: () => Readonly<Record<string, string>>,
    said: RegExp,
  ) =>
    it(what, async () => {
      const { code, stderr, stdout } = await runProcess(project(entries, files()))
      expect(stderr).toMatch(said)
      expect(stderr).not.toMatch(/\n {4}at |should not happen/)
      expect(stdout).toBe("")
      expect(code).toBe(2)
    })
  const nothing = () => ({})
  check(
    "no such module",
    ["./none.mjs"],
    nothing,
    /rpc\.config\.json:1:13: plugin "\.\/none\.mjs" was not found: there is no \/.*none\.mjs\n/,
  )
  check("a module that is not built yet", ["./dist/none.js"], nothing, /if it has to be built first, build it/)
  check(
    "a package without a manifest that can be read",
    ["meter"],
    () => ({ "node_modules/meter/package.json": "{" }),
    /plugin "meter" was not found from/,
  )
  check(
    "no such package",
    ["dotrpc-none"],
    nothing,
    /plugin "dotrpc-none" was not found from .* as a package: install it, or write the path of a module, such as ".\/dotrpc-none\.js"/,
  )
  check("a path without the point it begins with", ["dist/index.js"], nothing, /such as ".\/dist\/index\.js"/)
  check("a carried plugin, misspelt", ["@dotrpc/plugin-evn"], nothing, /did you mean "@dotrpc\/plugin-evm"\?/)
  check(
    "a package without such an entry",
    ["meter/x"],
    () => ({ "node_modules/meter/package.json": '{"exports":"./m.js"}' }),
    /plugin "meter\/x" was not found from/,
  )
  check(
    "a module that throws",
    ["./bad.mjs"],
    () => ({ "bad.mjs": 'throw new TypeError("no table of meters")\n' }),
    /plugin "\.\/bad\.mjs" cannot be loaded: TypeError: no table of meters\n/,
  )
  check(
    "a module with a mistake",
    ["./bad.mjs"],
    () => ({ "bad.mjs": "export const = 5\n" }),
    /cannot be loaded: SyntaxError: /,
  )
  check(
    "a module that needs what is not installed",
    ["./bad.mjs"],
    () => ({ "bad.mjs": 'import "not-installed"\n' }),
    /cannot be loaded: Error: Cannot find package 'not-installed'/,
  )
  check(
    "a module without exports",
    ["./bad.mjs"],
    () => ({ "bad.mjs": "" }),
    /does not export a plugin: export it as default, or under the name "plugin"/,
  )
  check(
    "something else than a plugin",
    ["./bad.mjs"],
    () => ({
      "bad.mjs": 'export default { id: "x", title: "X", docs: "", methods: [{}], functions: [], networks: [] }\n',
    }),
    /does not export a plugin, the value that definePlugin returns: methods\[0\]\.plugin is missing: expected a string/,
  )
  check(
    "the same plugin twice",
    ["./meter.mjs", "./again.mjs"],
    () => ({ "meter.mjs": bundled, "again.mjs": 'export * from "./meter.mjs"\n' }),
    /rpc\.config\.json:\d+:\d+.* the id "meter" is defined by two plugins, ".\/meter.mjs" and ".\/again.mjs": remove one/,
  )
})
