/** What is said about the hosts that a secret belongs to. */
import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { judgeUses, recordUses, type SecretHostStore } from "../src/index.ts"

const inMemory = (): SecretHostStore => {
  let text: string | undefined
  return {
    read: () => Promise.resolve(text),
    write: (next) => {
      text = next
      return Promise.resolve()
    },
  }
}

const secret = "s3cr3t"
const useOf = (destination: string) =>
  ({ kind: "secret", name: "K", value: Redacted.make(secret), destination }) as const

describe("the host that a secret belongs to is shown", () => {
  const check = (origin: string, expected: string) =>
    it(`as ${expected} for ${origin}`, async () => {
      const store = inMemory()
      await recordUses([useOf(origin)], store)
      const [own] = await judgeUses([useOf(origin)], store)
      const [other] = await judgeUses([useOf("https://other.example")], store)
      expect([own?.verdict, other?.verdict, other?.hosts]).toEqual(["known", "other", [expected]])
    })
  check("https://node.example", "node.example")
  check("https://node.example:8443", "node.example:8443")
  check("http://node.example", "node.example")
  check("http://127.0.0.1:8545", "127.0.0.1:8545")
  check("http://[::1]:8545", "[::1]:8545")
  check(`https://${secret}.node.example`, "•••.node.example")
  check(`http://${secret}.node.example:81`, "•••.node.example:81 (unencrypted)")
  check(`http://${secret}.localhost:81`, "•••.localhost:81 (unencrypted)")
})
