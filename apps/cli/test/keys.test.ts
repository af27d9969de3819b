import fc from "fast-check"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

const key = "Zq7xK2mP9vT4wB1n"

const base64 = (text: string) => Buffer.from(text).toString("base64")
const hex = (text: string) => Buffer.from(text).toString("hex")
const percent = (text: string) => `%${hex(text).match(/../g)?.join("%") ?? ""}`
const entities = (text: string) => [...text].map((sign) => `&#x00${sign.charCodeAt(0).toString(16)};`).join("")
const escapes = (text: string) => [...text].map((sign) => String.raw`\u00` + hex(sign)).join("")

/** One layer of what a server may make of a key. */
const layers: Readonly<Record<string, (text: string) => string>> = {
  percent,
  entities,
  escapes,
  hex,
  hexInCapitals: (text) => `0x${hex(text).toUpperCase()}`,
  base64,
  base64OneByteIn: (text) => base64(`a${text}`),
  base64TwoBytesIn: (text) => base64(`ab${text}`),
  base64url: (text) => Buffer.from(`?>${text}`).toString("base64url"),
}

const known = [
  key,
  key.toUpperCase(),
  ...Object.values(layers).map((layer) => layer(key)),
  base64(percent(key)),
  hex(base64(key)),
  percent(base64(key)),
  base64(base64(`a${key}`)),
  entities(hex(key)),
]

/** Up to three layers, with something before and after. */
const disguised = fc
  .tuple(
    fc.array(fc.constantFrom(...Object.keys(layers)), { minLength: 1, maxLength: 3 }),
    fc.constantFrom("", " ", "key=", "http://a.example/v3/"),
    fc.constantFrom("", " ", "&a=b", "?"),
  )
  .map(([names, before, after]) => names.reduce((text, name) => layers[name]?.(text) ?? text, before + key + after))

/** Whatever a reader of text may leave out, or takes for nothing. */
const removable = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu

/** The key, with characters in it that are not seen. */
const split = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(
        ..."\u0000\u0007\b\t\n\r\u001b\u007f\u0085\u00ad\u034f\u061c\u115f\u180e\u200b\u200d\u2028\u202e\u2060",
      ),
      fc.constantFrom(..."\u3164\ufe0f\ufeff\uffa0\ufff9\ufffe\uffff\u{e0001}\u{e0041}\u{1d173}\u{1fffe}\ud800"),
    ),
    fc.integer({ min: 1, max: key.length - 1 }),
    fc.boolean(),
  )
  .map(([character, at, everywhere]) =>
    everywhere ? [...key].join(character) : key.slice(0, at) + character + key.slice(at),
  )

/** Takes off every encoding that it knows, in every place, and looks. */
const isIn = (text: string, depth = 3): boolean => {
  if (text.toLowerCase().includes(key.toLowerCase())) return true
  if (depth === 0) return false
  const unescaped = text
    .replace(/%([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)))
    .replace(/&#x0*([\da-f]{1,4});/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)))
    .replace(/\\+u([\da-f]{4})/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)))
  if (unescaped !== text && isIn(unescaped, depth - 1)) return true
  return [...text.matchAll(/[\w+/-]{16,}/g)].some(([run]) =>
    [0, 1, 2, 3].some(
      (phase) =>
        isIn(Buffer.from(run.slice(phase), "base64").toString("latin1"), depth - 1) ||
        isIn(Buffer.from(run.replace(/^0x/, "").slice(phase), "hex").toString("latin1"), depth - 1),
    ),
  )
}

/** Where a server may say what it was asked with. */
const places: ReadonlyArray<(id: unknown, text: string) => unknown> = [
  (id, text) => ({ id, result: text }),
  (id, text) => ({ id, result: { [text]: [text] } }),
  (id, text) => ({ id, result: ["é".repeat(60) + text, "x".repeat(400) + text] }),
  (id, text) => ({ id, result: [{ [text]: 1, b: text }, { [text]: text }] }),
  (id, text) => ({ id, error: { code: -32_000, message: `${"x".repeat(190)}${text}${"y".repeat(300)}` } }),
  (id, text) => ({ id, error: { code: 3, message: text, data: text } }),
  (id, text) => ({ id, error: { code: -32_000, message: `no ${text}`, data: { [text]: text } } }),
  (_, text) => ({ id: text, result: "0x1" }),
  (_, text) => `<p>${"word ".repeat(25)}${text}</p>`,
]

/** Where a network has its key. */
const networks: ReadonlyArray<{ readonly what: string; readonly path: string; readonly headers?: object }> = [
  { what: "in its URL", path: "/{{$secret.NODE_KEY}}/rpc" },
  { what: "in a header", path: "/rpc", headers: { Authorization: "Bearer {{$secret.NODE_KEY}}" } },
]

it.each(networks)("no key $what that a server repeats leaves, in any disguise, place or format", async (network) => {
  const random = fc.sample(fc.tuple(fc.constantFrom(...places), fc.oneof(disguised, split)), 80)
  const all = [
    ...known.flatMap((text, index) =>
      places.filter((_, at) => (at + index) % 3 === 0).map((place) => ({ place, text })),
    ),
    ...random.map(([place, text]) => ({ place, text })),
  ]
  let turn = 0
  const server = createServer((request, response) => {
    expect(`${request.url} ${request.headers.authorization}`).toContain(key)
    let body = ""
    request.on("data", (chunk) => (body += String(chunk)))
    request.on("end", () => {
      const { place, text } = all[turn++ % all.length] ?? { place: () => "", text: "" }
      const reply = place((JSON.parse(body) as { readonly id: number }).id, text)
      response.writeHead(typeof reply === "string" ? 400 : 200, {
        "x-said": encodeURIComponent(Buffer.from(text).toString()),
      })
      response.end(typeof reply === "string" ? reply : JSON.stringify(reply))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const cwd = temporaryFolder()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${network.path}`
  const settings = { plugin: "evm", url, headers: network.headers }
  writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ networks: { n: settings } }))
  const request = (_: unknown, index: number) =>
    `### r${index}\n# @network n\n# @retry 0\neth_getTransactionReceipt ["0x${"ab".repeat(32)}"]\n?? result.status == "0x1"\n`
  writeFileSync(join(cwd, "a.rpc"), all.map(request).join("\n"))
  try {
    for (const [index, format] of ["pretty", "json", "ndjson", "junit", "tap"].entries()) {
      turn = 0
      const args = ["run", "a.rpc", "--format", format, "--output", "report", ...(index === 0 ? ["--trace"] : [])]
      const { code, stderr, stdout } = await startAt({ cwd, env: { NODE_KEY: key } }, ...args).outcome
      const report = readFileSync(join(cwd, "report"), "utf8")
      expect(turn).toBe(all.length)
      expect(code).not.toBe(0)
      expect(report).toContain("•••")
      for (const text of [stdout, stderr, report]) {
        for (const line of text.split("\n")) if (isIn(line)) expect(line).toBe("")
        // A mark of a character that is not seen is one that nobody takes out.
        const whole = text.replace(removable, "").toLowerCase()
        const at = whole.indexOf(key.toLowerCase())
        expect(at < 0 ? "" : whole.slice(Math.max(0, at - 200), at + 100)).toBe("")
      }
    }
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
})
