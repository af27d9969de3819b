/**
 * Files of requests and their exact replies: `// comment`, `>> request`, `<< reply`. A comment `// network: ID` says which
 * network is asked. Every other line is kept as it is.
 */
import { Effect } from "effect"
import type { Gateway } from "../src/index.ts"

/** A fixed time, 2026-01-01: nothing in these files depends on it. */
export const now = Date.UTC(2026, 0, 1)

/** The text of the file with the replies that the gateway gives now. */
export const answered = async (gateway: Gateway.Gateway, text: string): Promise<string> => {
  const network = /^\/\/ network: (\S+)$/m.exec(text)?.[1]
  if (network === undefined) throw new Error('A file of requests needs a line "// network: ID".')
  const lines: Array<string> = []
  for (const line of text.split("\n")) {
    if (line.startsWith("<<")) continue
    lines.push(line)
    if (!line.startsWith(">> ")) continue
    const reply = await Effect.runPromise(gateway.handle({ network, key: "local", body: line.slice(3), now }))
    lines.push(`<< ${reply.body}`)
  }
  return lines.join("\n")
}
