import { Visible } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import fc from "fast-check"
import { readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { writeFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { escapedJson, escapedPieces, forTerminal, linked, styled, withoutStyles } from "../src/render/border.ts"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

/** Whatever steers a terminal, turns text around or is not seen, except for line breaks and tabs. */
const steers =
  // oxlint-disable-next-line no-control-regex -- These are what is looked for.
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u

/** Commands to a service that keeps a log: at the beginning of a line, or anywhere in it. */
const commands = /^\s*::|##[\w.-]*\[/m

/** Every character that a reader of text may leave out, or takes for nothing. */
const removable =
  /[\s\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]|\p{Zs}/gu

/** A word that no output may hold when it came in two pieces. */
const word = "Zq7xK2mP"
const splitBy = (character: string) => `${word.slice(0, 4)}${character}${word.slice(4)}`

/** One of each kind of characters that are not seen. */
const unseen = [
  ..."\u0000\u0007\u001B\u007F\u0085\u009B\u00AD\u034F\u061C\u115F\u17B4\u180B\u180E\u200B\u200D\u200E\u2028\u202E\u2060\u2064",
  ..."\u2066\u206A\u3164\uFE00\uFE0F\uFEFF\uFFA0\uFFF9\uFFFE\uFFFF\u{E0001}\u{E0041}\u{E01EF}\u{1D173}\u{1FFFE}\u{FDD0}\uD800",
]

const nasty = [
  "\u001B[2J\u001B[31mred",
  "\u001B]8;;https://evil.example\u0007click\u001B]8;;\u0007",
  "\u001B]0;title\u0007",
  "\u009B31m",
  "\u0085next",
  "\u202Eright to left",
  "\u2066\u061C\u200F",
  "\u2028line\u2029",
  "\r\nok 99 - forged",
  "\n  ...\nnot ok 1",
  "# SKIP \\",
  "\u0000\u0007\u0008\u007F",
  "\uD800",
  "]]><x>&'\"",
  "::error::forged",
  "\n::set-output name=x::y\n \u3000::add-mask::z\n",
  "##vso[task.setvariable variable=x]y ##[group]z ##\u200B[error]w",
  ...unseen.map(splitBy),
]
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: "binary", maxLength: 8 })))
  .map((parts) => parts.join(""))

describe("JSON that leaves in pieces", () => {
  /** Cuts a text at these places, but never within a character. */
  const cut = (text: string, places: ReadonlyArray<number>): ReadonlyArray<string> => {
    const characters = [...text]
    const ends = [...places.map((place) => place % (characters.length + 1)), characters.length].toSorted(
      (a, b) => a - b,
    )
    return ends.map((end, index) => characters.slice(ends[index - 1] ?? 0, end).join(""))
  }
  it("says the same, and steers nobody, wherever it is cut", () =>
    fc.assert(
      fc.property(
        fc
          .array(fc.oneof(hostile, fc.constantFrom("#", "##", "###", "##a", "[", "a[", "vso[b]")))
          .map((parts) => parts.join("")),
        fc.array(fc.nat(), { maxLength: 6 }),
        (text, places) => {
          const json = JSON.stringify({ [text]: text })
          const left = [...escapedPieces(cut(json, places))].join("")
          expect(JSON.parse(left)).toEqual(JSON.parse(json))
          expect(left).not.toMatch(steers)
          expect(left).not.toMatch(/##[\w.-]*\[/)
        },
      ),
      { numRuns: runs(2_000) },
    ))
})

describe("the border", () => {
  it("lets nothing of others steer, and our own styles pass", () => {
    fc.assert(
      fc.property(hostile, hostile, (left, right) => {
        const text = `${left}${styled(1, 22, right)}${linked("https://a.example/x", left)}`
        // What is left once our own four sequences are taken out.
        const own = ["\u001B[1m", "\u001B[22m", "\u001B]8;;https://a.example/x\u0007", "\u001B]8;;\u0007"]
        const shown = forTerminal(text)
        expect(own.reduce((rest, sequence) => rest.replace(sequence, ""), shown)).not.toMatch(steers)
        expect(own.every((sequence) => shown.includes(sequence))).toBe(true)
        expect(withoutStyles(text)).not.toMatch(steers)
        expect(withoutStyles(text)).not.toMatch(commands)
        expect(stripVTControlCharacters(forTerminal(`\n${styled(31, 39, right)}`))).not.toMatch(commands)
        expect(Visible.line(left)).not.toMatch(/[\n\t]/)
      }),
    )
  })

  it("takes nothing out, so that no text becomes whole that was split", () => {
    const anyCharacter = fc
      .oneof(fc.constantFrom(...unseen), fc.integer({ min: 0, max: 0x10_ffff }).map(String.fromCodePoint))
      .filter((character) => removable.test(character) && !/\p{Zs}/u.test(character))
    const outputs: Readonly<Record<string, (text: string) => string>> = {
      forTerminal,
      withoutStyles,
      visible: Visible.line,
      escapedJson: (text) => escapedJson(JSON.stringify(text)),
    }
    fc.assert(
      fc.property(hostile, anyCharacter, fc.constantFrom(...Object.keys(outputs)), (text, character, name) => {
        const output = outputs[name] ?? Visible.line
        expect(output(text).length).toBeGreaterThanOrEqual(text.length)
        // Line feeds and tabs are our own where a text has several lines.
        if (!/[\n\t]/.test(character) || name === "visible")
          expect(output(splitBy(character)).replace(removable, "")).not.toContain(word)
      }),
      { numRuns: runs(1_000) },
    )
  })

  it("leaves marks below a line where they belong", () => {
    const check = (text: string) => expect(Visible.line(text)).toHaveLength(text.length)
    unseen.map(splitBy).forEach(check)
    check("a\r\nb\tc")
  })

  it("takes no sequence for ours that was shown before", () => {
    const shown = forTerminal(styled(31, 39, "x"))
    expect(forTerminal(shown)).not.toMatch(steers)
  })

  it("writes JSON of the same value", () => {
    fc.assert(
      fc.property(fc.dictionary(hostile, fc.oneof(hostile, fc.array(hostile))), (value) => {
        const written = escapedJson(JSON.stringify(value, null, 2))
        expect(written).not.toMatch(steers)
        expect(written).not.toMatch(commands)
        expect(JSON.stringify(JSON.parse(written))).toBe(JSON.stringify(value))
      }),
    )
  })

  const source = join(import.meta.dirname, "../src")
  const filesWith = (pattern: RegExp) =>
    readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && pattern.test(readFileSync(join(source, file), "utf8")))
      .toSorted()

  it("is where everything leaves", () => {
    expect(filesWith(/\bconsole\s*\.|\bConsole\.(?!Console)/)).toEqual([])
    expect(filesWith(/\bRawOutput\b|\bwriteWhole\b/)).toEqual([
      "Host.ts",
      "Output.ts",
      "processHost.ts",
      "render/hyperlinks.ts",
    ])
  })

  it("is reached by no command but through its host, so that many can run in one process", () => {
    // What Node is, on what, for whom, with how much memory and as which process it runs, is the same for every command, and so is whether another runs.
    const ofProcess =
      /\bprocess\.(?=[a-z])(?!platform\b|versions?\b|memoryUsage\b|getuid\b|pid\b|kill\(\w+, 0\))|\bhomedir\b/
    expect(filesWith(ofProcess)).toEqual(["commands/lsp.ts", "ending.ts", "main.ts", "processHost.ts", "signals.ts"])
  })
})

/** A server that says what steers in every place of a reply, as a result, as an error, and as what is not JSON. */
const sayAll = async () => {
  const say = nasty.join(" ")
  const replies = [
    (id: unknown) => ({ id, result: say }),
    (id: unknown) => ({ id, result: [{ [say]: say }, { [say]: 1 }] }),
    (id: unknown) => ({ id, error: { code: -32_000, message: say, data: { [say]: say } } }),
    () => say,
  ]
  let turn = 0
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk) => (body += String(chunk)))
    request.on("end", () => {
      const reply = replies[turn++ % replies.length]?.((JSON.parse(body) as { id: number }).id)
      response.end(typeof reply === "string" ? `<p>${reply}` : JSON.stringify(reply))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls: () => turn,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** A project of which every name steers, as far as a file system takes it. */
const hostileProject = (url: string): { readonly folder: string; readonly file: string } => {
  const folder = temporaryFolder()
  const id = "n\u001B[31m\u202E"
  writeFileSync(
    join(folder, "rpc.config.json"),
    JSON.stringify({ networks: { [id]: { plugin: "evm", url, title: id }, plain: { plugin: "evm", url } } }),
  )
  const file = "a\u001B[2J\u202E\u009Bb.rpc"
  const request = (index: number) =>
    `### r${index} \u001B[2J \u202E \u009B # SKIP\n# @network plain\n# @timeout 5s\n# @retry 0\neth_getTransactionReceipt ["0x${"ab".repeat(32)}"]\n?? result.status == "\u202E"\n`
  writeFileSync(
    join(folder, file),
    [0, 1, 2, 3].map(request).join("\n") + `\n### x\n# @network ${id}\neth_nope\u001B[1m "\u009B\n`,
  )
  return { folder, file }
}

/** Our own styles, which are the only ones that may be there. */
const withoutOwn = (text: string) =>
  // oxlint-disable-next-line no-control-regex -- These are what is taken out.
  text.replace(/\u001B\[(?:1|2|4|22|24|31|32|33|39)m/g, "")

describe("nothing that a server, a file or a name says steers", () => {
  const check = (what: string, color: boolean, ...args: ReadonlyArray<string>) =>
    it(`${what}${color ? " in colours" : ""}`, async () => {
      const server = await sayAll()
      try {
        const { file, folder } = hostileProject(server.url)
        const env = color ? { FORCE_COLOR: "1", NO_COLOR: "" } : { NO_COLOR: "1" }
        const { stderr, stdout } = await startAt(
          { cwd: folder, env },
          ...args.map((arg) => (arg === "FILE" ? file : arg)),
        ).outcome
        for (const said of [stdout, stderr]) {
          // A colour that others began would be ours by its number, and stand without its end.
          const clean = color ? withoutOwn(said) : said
          expect(clean.replace(steers, (sign) => `<${sign.charCodeAt(0).toString(16)}>`)).toBe(clean)
          expect(clean).not.toMatch(commands)
          expect(said.replace(removable, "")).not.toContain(word)
        }
        expect(stripVTControlCharacters(stdout + stderr)).not.toBe("")
        if (args.includes("--format") && args[0] === "run") expect(server.calls()).toBe(4)
        if (args.includes("tap")) {
          const lines = stdout.split("\n").filter((line) => /^(not )?ok /.test(line))
          expect(stdout).toContain(`1..${lines.length}\n`)
          expect(lines.map((line) => Number(/\d+/.exec(line)?.[0]))).toEqual(lines.map((_, index) => index + 1))
        }
      } finally {
        await server.close()
      }
    })
  for (const color of [false, true]) {
    for (const format of ["pretty", "json", "ndjson", "junit", "tap"])
      check(`run --format ${format}`, color, "run", "FILE", "--format", format)
    check("run --dry-run", color, "run", "FILE", "--dry-run")
    check("check", color, "check", "FILE")
    check("check --format json", color, "check", "FILE", "--format", "json")
    check("fmt --check", color, "fmt", "--check", "FILE")
    check("scan", color, "scan", "eth_getLogs", '[{"fromBlock":"0x0","toBlock":"0x2"}]', "--network", "plain")
    check(
      "scan of a network that is not there",
      color,
      "scan",
      "eth_getLogs",
      '[{"fromBlock":"0x0","toBlock":"0x2"}]',
      "--network",
      "\u001B[2J\u202E",
    )
    check("credits", color, "credits", "--network", "\u001B[2J\u202E")
    check("a file that is not there", color, "run", "\u001B[2J\u202E\n.rpc")
    check("a flag that is not known", color, "run", "--\u001B[2J\u202E")
    check("a command that is not known", color, "\u001B[2J\u202E")
    check("a name for a plugin", color, "new", "plugin", "\u001B[2J\u202E")
    check("import curl", color, "import", "curl", "FILE")
  }
})
