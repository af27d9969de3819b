import { Evm } from "@dotrpc/plugin-evm"
import type { PluginFunction } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { CancellationTokenSource, HoverRequest } from "vscode-languageserver/node"
import { deferred } from "./client.ts"
import { brokenPlugin, canary, makeHost } from "./host.ts"
import { start, textDocument } from "./start.ts"

/** A function that tells what it was given by failing. */
const failing: PluginFunction = {
  name: "fail",
  signature: "fail(value)",
  docs: "Fails.",
  call: ([value]) => {
    throw new Error(`cannot take ${String(value)}`)
  },
}

describe("failures", () => {
  it("answer one request with an error, are logged without secrets, and leave the rest as it was", async () => {
    const host = makeHost({})
    const client = await start({ host: { ...host, plugins: async () => ({ plugins: [brokenPlugin], problems: [] }) } })
    await client.open("###\nbroken_docs [{}]\n")
    const hover = (line: number) =>
      client.connection.sendRequest(HoverRequest.type, { textDocument, position: { line, character: 3 } })
    await expect(hover(1)).rejects.toMatchObject({
      code: -32603,
      message: "textDocument/hover failed; see the server's log",
    })
    expect(client.log.join("\n")).toContain("textDocument/hover: Error: no docs for •••")
    expect(client.log.join("\n")).not.toContain(canary)
    expect(await hover(0)).toBeNull()
  })
  it("mask a secret that only the environment holds", async () => {
    const host = makeHost({})
    const plugin = { ...Evm.plugin, functions: [failing] }
    const client = await start({ host: { ...host, plugins: async () => ({ plugins: [plugin], problems: [] }) } })
    await client.open("@x = fail($secret.HIDDEN)\n")
    const position = { line: 0, character: 0 }
    await expect(client.connection.sendRequest(HoverRequest.type, { textDocument, position })).rejects.toMatchObject({
      code: -32603,
    })
    expect(client.log.join("\n")).toContain("Error: cannot take •••")
  })
  it("of the host are reported without details, and tried again", async () => {
    const host = makeHost({})
    let fails = true
    const client = await start({
      host: {
        ...host,
        findConfig: (document) => (fails ? Promise.reject(new Error(canary)) : host.findConfig(document)),
      },
    })
    await client.open("###\neth_getLogs [{}]\n")
    const hover = () =>
      client.connection.sendRequest(HoverRequest.type, { textDocument, position: { line: 1, character: 3 } })
    await expect(hover()).rejects.toMatchObject({ code: -32603 })
    expect(client.log.join("\n")).toContain("textDocument/hover: Error")
    expect(client.log.join("\n")).not.toContain(canary)
    fails = false
    expect(await hover()).toMatchObject({ contents: { value: expect.stringContaining("255 credits") } })
  })
  it("a request that is cancelled is not answered", async () => {
    const host = makeHost({})
    const asked = deferred<undefined>()
    const reading = deferred<undefined>()
    const client = await start({
      host: {
        ...host,
        findConfig: () => {
          asked.resolve(undefined)
          return reading.promise
        },
      },
    })
    await client.open("###\neth_getLogs [{}]\n")
    const source = new CancellationTokenSource()
    const position = { line: 1, character: 3 }
    const cancelled = client.connection.sendRequest(HoverRequest.type, { textDocument, position }, source.token)
    await asked.promise
    source.cancel()
    // Answered at once, and only after the server has heard of the cancellation.
    await client.connection.sendRequest(HoverRequest.type, { textDocument: { uri: "file:///none.rpc" }, position })
    const other = client.connection.sendRequest(HoverRequest.type, {
      textDocument,
      position: { line: 0, character: 0 },
    })
    reading.resolve(undefined)
    await expect(cancelled).rejects.toMatchObject({ code: -32800 })
    expect(await other).toBeNull()
  })
})
