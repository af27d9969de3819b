/** Names that every object of JavaScript has, wherever a file or a project names something: they mean what any other name would. */
import { describe, expect, it } from "vitest"
import { analyzeFiles, config } from "./workspace.ts"

const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "prototype", "then", "toJSON"]

const own = <Value>(name: string, value: Value): Readonly<Record<string, Value>> => Object.fromEntries([[name, value]])

/** What is wrong in a file, with other files and settings that the name stands in. */
const problemsOf = async (
  name: string,
  text: (name: string) => string,
  sources: (name: string) => Parameters<typeof analyzeFiles>[1] = () => ({}),
): Promise<ReadonlyArray<string>> => {
  const files = {
    "a.rpc": text(name),
    "b.rpc": `@${name} = "other"\n###\n# @name ${name}\neth_getBlockRange ["0x1", "0x2", false]\n`,
  }
  const { diagnostics } = await analyzeFiles(files, sources(name))
  return diagnostics.map(({ code, message }) =>
    `${code} ${message.replace(/; did you mean .*/, "")}`.replaceAll(name, "NAME"),
  )
}

const check = (
  what: string,
  text: (name: string) => string,
  sources?: (name: string) => Parameters<typeof analyzeFiles>[1],
) =>
  it.each(names)(`${what}: %s`, async (name) =>
    expect(await problemsOf(name, text, sources)).toEqual(await problemsOf("zyxwvut", text, sources)),
  )

const use = (name: string) => `###\neth_getTransactionReceipt [{{${name}}}]\n`
const block = 'eth_getBlockRange ["0x1", "0x2", false]'
const hash = `0x${"ab".repeat(32)}`

describe("what nothing defines is unknown", () => {
  check("a variable", use)
  check("a network", (name) => `###\n# @network ${name}\n${block}\n`)
  check("a directive", (name) => `###\n# @${name} 1\n${block}\n`)
  check("a tag", (name) => `###\n# @tag ${name}\n${block}\n`)
  check("a method", (name) => `###\n${name} []\n`)
  check("a function", (name) => `###\neth_getLogs [{ "address": ${name}("1") }]\n`)
  check("a member of params", (name) => `###\neth_getLogs [{ "${name}": "1" }]\n`)
  check("an environment", use, (name) => ({ environment: name }))
  check("a member of a variable", (name) => `@a = { "b": 1 }\n###\neth_getTransactionReceipt [{{a.${name}}}]\n`)
  check("a member of a string", (name) => `@a = "b"\n###\neth_getTransactionReceipt [{{a.${name}}}]\n`)
  check("a member of an import", (name) => `# @import ./b.rpc as b\n###\neth_getTransactionReceipt [{{b.x${name}}}]\n`)
  check("a value of the environment", (name) => `###\neth_getTransactionReceipt [{{$env.${name}}}]\n`)
  check("a secret", (name) => `###\neth_getTransactionReceipt [{{$secret.${name}}}]\n`)
  check("a check's word", (name) => `###\n${block}\n?? ${name} == 1\n?? result.${name} == 1\n`)
})

describe("what something defines is that", () => {
  check("a variable of the file", (name) => `@${name} = "${hash}"\n${use(name)}`)
  check("a variable of the command", use, (name) => ({ overrides: own(name, hash) }))
  check("a variable of the environment", use, (name) => ({
    environment: name,
    config: { ...config, environments: own(name, { vars: own(name, hash) }) },
  }))
  check("a request", (name) => `###\n# @name ${name}\n${block}\n###\neth_getTransactionReceipt [{{${name}[0].hash}}]\n`)
  check(
    "an import, and a request of it",
    (name) => `# @import ./b.rpc as ${name}\n###\neth_getTransactionReceipt [{{${name}.${name}[0].hash}}]\n`,
  )
  check(
    "a network",
    (name) => `###\n# @network ${name}\n${block}\n`,
    (name) => ({
      config: { networks: own(name, { plugin: "evm", url: "embedded:evm" }) },
    }),
  )
  check(
    "a network of the environment",
    (name) => `###\n# @network evm\n# @tag ${name}\n${block}\n`,
    (name) => ({
      environment: name,
      config: {
        networks: { evm: { plugin: "evm", url: "embedded:evm" } },
        environments: own(name, { networks: own(name, { url: "embedded:evm", plugin: "evm" }) }),
      },
    }),
  )
  check(
    "a method of a price list",
    (name) => `###\n# @network evm\n# @tag ${name}\n${block}\n`,
    (name) => ({
      config: { networks: { evm: { plugin: "evm", url: "embedded:evm", credits: own(name, 7) } } },
    }),
  )
})
