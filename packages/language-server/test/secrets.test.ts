import { expect, it } from "vitest"
import { CompletionRequest, HoverRequest } from "vscode-languageserver/node"
import { file } from "./client.ts"
import { canary } from "./host.ts"
import { start, textDocument } from "./start.ts"

it("no answer and no message holds a secret's value", async () => {
  const config = "file:///project/rpc.config.json"
  const client = await start({
    files: {
      [config]: JSON.stringify({
        networks: { evm: { plugin: "evm", url: "https://evm.example/v3/{{$secret.API_KEY}}" } },
      }),
    },
  })
  const source = '@s = {{$secret.API_KEY}}\n###\neth_getLogs [{ "address": {{s}} }]\n?? s == s.x\n'
  const published = client.published(file)
  await client.open(source)
  const seen: Array<unknown> = [await published]
  for (const [line, text] of source.split("\n").entries()) {
    for (let character = 0; character <= text.length; character++) {
      const at = { textDocument, position: { line, character } }
      seen.push(await client.connection.sendRequest(HoverRequest.type, at))
      seen.push(await client.connection.sendRequest(CompletionRequest.type, at))
    }
  }
  expect(JSON.stringify(seen)).not.toContain(canary)
})
