/** Clients of the server that are closed when their test is over, and the document that most of them have open. */
import { onTestFinished } from "vitest"
import { type Client, type ClientOptions, connect, file } from "./client.ts"

export const textDocument = { uri: file }

export const start = async (options: ClientOptions = {}): Promise<Client> => {
  const client = await connect(options)
  onTestFinished(() => client.close())
  return client
}
