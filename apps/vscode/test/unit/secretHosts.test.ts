/** A person is asked before a secret goes to another host, and nothing goes where nobody agreed to. */
import { analyze } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import { makeGate, type SecretHostStore } from "@dotrpc/project"
import { makePlan } from "@dotrpc/runner"
import { Redacted } from "effect"
import { describe, expect, it } from "vitest"

import { makeProject } from "../../src/project/Project.ts"
import { SecretHosts } from "../../src/run/secretHosts.ts"

const key = "canary-3f9a51"

/** A project whose one network is at an origin, and whose credits are counted by a server when there is one. */
const projectAt = (origin: string, ledger?: string) =>
  makeProject({
    configFile: {
      uri: "file:///rpc.config.json",
      text: JSON.stringify({
        networks: { main: { plugin: "evm", url: `${origin}/v3/{{$secret.KEY}}` } },
        ledger,
      }),
    },
    env: () => undefined,
    secret: () => key,
    now: 0,
  })

const planOf = (project: ReturnType<typeof projectAt>) =>
  makePlan(analyze(parse("### A\neth_getLogs [{}]\n"), project.workspace))

/** A machine that has not seen the key, and a person who always says the same. */
const machine = ({ says = true, isOfProcess = false, isBroken = false } = {}) => {
  const asked: Array<string> = []
  let text: string | undefined
  const store: SecretHostStore = {
    read: () => Promise.resolve(text),
    write: (next) => {
      if (isBroken) return Promise.reject(new Error("no space left"))
      text = next
      return Promise.resolve()
    },
  }
  const person = { says }
  const gate = makeGate()
  const hosts = new SecretHosts(
    store,
    gate,
    () => isOfProcess,
    (question, detail, config) => {
      expect(config).toBe("file:///rpc.config.json")
      asked.push(`${question} ${detail}`)
      return Promise.resolve(person.says)
    },
  )
  const send = (origin: string, ledger?: string) => {
    const project = projectAt(origin, ledger)
    return hosts.agree(planOf(project), project)
  }
  return { asked, gate, hosts, person, send, kept: () => text }
}

/** The question about a host, with the sources of the secret and the hosts it was sent to before. */
const question = (host: string, before?: string, source = 'Network "main"') =>
  [
    `Send KEY to ${host}? KEY`,
    before === undefined ? "has not been sent anywhere yet." : `was only ever sent to ${before}.`,
    `${source} in rpc.config.json ${before === undefined ? "sends" : "now sends"} it to ${host}.`,
    "If you send it, dotrpc remembers this host and does not ask again.",
  ].join(" ")

const first = "https://first.example"
const other = "https://other.example"

describe("the first host of a secret", () => {
  it("is not asked about for a value that was given to the editor or the project", async () => {
    const { asked, kept, send } = machine()
    await send(first)
    expect(asked).toEqual([])
    expect(kept()).toContain("https://first.example")
    expect(kept()).not.toContain(key)
  })
  it("is asked about for a variable of the process", async () => {
    const { asked, send } = machine({ isOfProcess: true })
    await send(first)
    expect(asked).toEqual([question("first.example")])
  })
  it("is not asked about on this machine", async () => {
    const { asked, send } = machine({ isOfProcess: true })
    await send("http://127.0.0.1:8545")
    expect(asked).toEqual([])
  })
})

describe("another host", () => {
  it("is asked about once, and known from then on", async () => {
    const { asked, send } = machine()
    await send(first)
    await send(other)
    await send(other)
    await send(first)
    expect(asked).toEqual([question("other.example", "first.example")])
  })
  it("gets nothing when the person does not agree, and is asked about again", async () => {
    const { asked, kept, person, send } = machine()
    await send(first)
    person.says = false
    await expect(send(other)).rejects.toThrow("Nothing was sent: KEY was not allowed for other.example.")
    await expect(send(other)).rejects.toThrow("Nothing was sent")
    expect(asked.length).toBe(2)
    expect(kept()).not.toContain("other.example")
  })
  it("is another port, too", async () => {
    const { asked, send } = machine()
    await send("http://127.0.0.1:1001")
    await send("http://127.0.0.1:1002")
    expect(asked).toEqual([question("127.0.0.1:1002", "127.0.0.1:1001")])
  })
  it("is asked about again when nothing can be kept", async () => {
    const { asked, send } = machine({ isBroken: true, isOfProcess: true })
    await send(first)
    await send(first)
    expect(asked.length).toBe(2)
  })
  it("that would hold the secret itself does not show it", async () => {
    const { asked, kept, send } = machine({ isOfProcess: true })
    await send(`https://${key}.evil.example`)
    expect(asked.join()).toBe(question("•••.evil.example"))
    expect(kept()).not.toContain(key)
  })
})

describe("what was agreed to", () => {
  it("is no more than what was asked about", async () => {
    const { send } = machine()
    const agreed = await send(first)
    const [same, changed] = [projectAt(first), projectAt(other)]
    expect(agreed(planOf(same), same)).toBe(true)
    expect(agreed(planOf(changed), changed)).toBe(false)
  })
  it("is all that passes the gate of connections", async () => {
    const { gate, send } = machine()
    const at = (destination: string) =>
      gate.refusal({ destination, privates: [{ kind: "secret", name: "KEY", value: Redacted.make(key) }] })
    expect(at(first)).toBe("KEY was not allowed for first.example")
    await send(first)
    expect([at(first), at(other), at("http://first.example")]).toEqual([
      undefined,
      "KEY was not allowed for other.example",
      "KEY was not allowed for first.example (unencrypted)",
    ])
  })
})

describe("the server that counts credits", () => {
  const ledger = "redis://:{{$secret.KEY}}@counts.example:6379"
  it("is asked about before a run", async () => {
    const { asked, send } = machine()
    await send(first, ledger)
    expect(asked).toEqual([question("counts.example (unencrypted)", "first.example", "The ledger")])
  })
  it("is asked about before it says what is left", async () => {
    const { asked, hosts, person, send } = machine()
    await send(first)
    person.says = false
    await expect(hosts.agreeToLedger(projectAt(first, ledger))).rejects.toThrow(
      "Nothing was sent: KEY was not allowed for counts.example (unencrypted).",
    )
    expect(asked.length).toBe(1)
  })
  it("is not asked about where there is none", async () => {
    const { asked, hosts } = machine({ isOfProcess: true, says: false })
    await hosts.agreeToLedger(projectAt(first))
    expect(asked).toEqual([])
  })
})
