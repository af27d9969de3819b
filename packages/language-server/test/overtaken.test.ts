/** Long work for a request stops once the client has cancelled it, or has another text. */
import { Evm } from "@dotrpc/plugin-evm"
import { makeProject, type Session } from "@dotrpc/session"
import { expect, it } from "vitest"
import {
  CancellationTokenSource,
  DocumentSymbolRequest,
  ReferencesRequest,
  SemanticTokensRequest,
} from "vscode-languageserver/node"
import { type Client, connect, deferred, file } from "./client.ts"

const textDocument = { uri: file }
const project = makeProject({
  plugins: { plugins: [Evm.plugin], problems: [] },
  env: () => undefined,
  secret: () => undefined,
  now: 0,
})

/** A server whose first long work waits until it is released, and what it has done by then. */
const startHeld = async () => {
  const asked = deferred<undefined>()
  const released = deferred<undefined>()
  const begun: Array<{ steps: number }> = []
  const sessionOver = (session: Session): Session => ({
    ...session,
    inSlices: async (steps, isStale) => {
      const count = { steps: 0 }
      begun.push(count)
      function* counted() {
        for (;;) {
          count.steps++
          const next = steps.next()
          if (next.done === true) return next.value
          yield
        }
      }
      asked.resolve(undefined)
      await released.promise
      return session.inSlices(counted(), isStale)
    },
  })
  const client = await connect({ projects: { project: () => Promise.resolve(project), sessionOver } })
  return { client, asked, released, begun }
}

/** Answered only after the server has heard of everything that was sent before. */
const heard = ({ connection }: Client) => connection.sendRequest(DocumentSymbolRequest.type, { textDocument })

it("work for a request that is cancelled stops", async () => {
  const { asked, begun, client, released } = await startHeld()
  await client.open("@a = 1\n###\neth_getLogs [{{a}}]\n")
  const source = new CancellationTokenSource()
  const position = { line: 0, character: 1 }
  const params = { textDocument, position, context: { includeDeclaration: true } }
  const cancelled = client.connection.sendRequest(ReferencesRequest.type, params, source.token)
  await asked.promise
  source.cancel()
  await heard(client)
  released.resolve(undefined)
  await expect(cancelled).rejects.toMatchObject({ code: -32800 })
  expect(begun).toEqual([{ steps: 0 }])
  await client.close()
})

it("work for a request that a change overtakes begins again with the text as it is then", async () => {
  const { asked, begun, client, released } = await startHeld()
  await client.open("# one\n")
  const coloured = client.connection.sendRequest(SemanticTokensRequest.type, { textDocument })
  await asked.promise
  await client.change(file, 2, [{ text: "\n# other\n" }])
  await heard(client)
  released.resolve(undefined)
  expect((await coloured)?.data).toEqual([1, 0, 7, 1, 0])
  expect(begun).toEqual([{ steps: 0 }, { steps: expect.any(Number) }])
  await client.close()
})
