/** The list that a secret to remove is chosen from: names and hosts, and no value. */
import { makeGate } from "@dotrpc/project"
import { Redacted } from "effect"
import { expect, test } from "vitest"

import { secretChoices } from "../../src/commands/secrets.ts"
import { SecretHosts } from "../../src/run/secretHosts.ts"

const key = "canary-71b2e0"

const check = (what: string, origins: ReadonlyArray<string>, value: string | undefined, expected: string) =>
  test(what, async () => {
    let kept: string | undefined
    const store = {
      read: () => Promise.resolve(kept),
      write: (text: string) => {
        kept = text
        return Promise.resolve()
      },
    }
    const hosts = new SecretHosts(
      store,
      makeGate(),
      () => false,
      () => Promise.resolve(true),
    )
    for (const destination of origins)
      await hosts.allow({ kind: "secret", name: "KEY", value: Redacted.make(key), destination })
    const choices = await secretChoices({ names: ["KEY"], value: () => value }, hosts)
    expect(choices).toEqual([{ label: "KEY", value: "KEY", description: expected }])
    expect(JSON.stringify([choices, kept])).not.toContain(key)
  })

check("names the host of a secret", ["https://node.example"], key, "sent to node.example")
check("names every host", ["https://a.example", "http://127.0.0.1:1"], key, "sent to a.example, 127.0.0.1:1")
check("says that a secret was sent nowhere", [], key, "not sent anywhere yet")
check("knows no hosts of another value", ["https://node.example"], "other", "not sent anywhere yet")
check("says that a name has no value left", [], undefined, "has no value")
check("masks a host that has the secret in it", [`https://${key}.node.example`], key, "sent to •••.node.example")
