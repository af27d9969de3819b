/** OpenRPC documents that are made to hang or overflow anyone who imports them: each becomes a package, or is refused in words. */
import { Visible } from "@dotrpc/spec"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { readOpenRpc } from "../../src/openrpc/Document.ts"
import { importedFiles } from "../../src/openrpc/importedFiles.ts"
import { linearPattern } from "../../src/openrpc/linearPattern.ts"
import { readPluginName } from "../../src/scaffold/PluginName.ts"
import { hostileDocuments, hostilePatterns, saidOf } from "./hostileDocuments.ts"

describe("a hostile document", () => {
  it.each(hostileDocuments)("$what", ({ text, warnings }) =>
    expect(saidOf(text())).toEqual(warnings.map((warning) => expect.stringMatching(warning))),
  )
})

describe("a hostile pattern is refused:", () => {
  it.each(Object.entries(hostilePatterns))("%s", (_, source) => expect(linearPattern(source)).toBeUndefined())
})

describe("no file of the package has a character that is not seen", () => {
  const unseen = new RegExp(`[${Visible.unseen}]`, "u")
  const steering = {
    ESC: "\u001B[2J",
    bell: "\u0007",
    "a C1 sequence": "\u009B2J",
    "a text direction": "\u202E",
    "a blank of no width": "\u200B",
  }
  for (const [name, said] of Object.entries(steering))
    it(`from ${name}`, () => {
      const words = `a${said}b`
      const schema = { type: "string", description: words, enum: [words], title: words }
      const document = readOpenRpc(
        JSON.stringify({
          openrpc: "1.2.6",
          info: { title: words, version: words, description: words },
          servers: [{ url: `https://h.example/${words}` }],
          methods: [
            {
              name: "x_get",
              summary: words,
              description: `${words}\n${words}`,
              params: [{ name: words, description: words, required: true, schema }],
              result: { name: words, schema: { $ref: "#/components/schemas/A" } },
              errors: [{ code: 1, message: words }],
              examples: [
                {
                  name: words,
                  params: [{ name: words, value: words }],
                  result: { name: words, value: { [words]: words } },
                },
              ],
            },
          ],
          components: { schemas: { A: { type: "object", properties: { [words]: schema }, description: words } } },
        }),
      )
      const plugin = readPluginName("acme")
      if (Result.isFailure(document) || Result.isFailure(plugin)) throw new Error("it can be read")
      const { files } = importedFiles(document.success, { name: plugin.success, credits: 1, local: false })
      expect(files["example.rpc"]).toMatch(/"a\\u[\da-f]{4}/)
      for (const [path, text] of Object.entries(files)) expect(unseen.exec(text)?.index, path).toBeUndefined()
    })
})
