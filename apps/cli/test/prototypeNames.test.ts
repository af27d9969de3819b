/** Names that every object of JavaScript has, wherever the command takes a name: they mean what any other name would. */
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

/** Without `then`, which is a word of messages as well. */
const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "prototype", "toJSON"]

/** The name of the member that the server answers with. */
let answered = ""

/** Answers with an item that has this member and one that has none. */
const server = createServer((request, response) => {
  let body = ""
  request.on("data", (chunk: Buffer) => (body += chunk.toString()))
  request.on("end", () => {
    const { id } = JSON.parse(body) as { readonly id: number }
    response.end(`{"jsonrpc":"2.0","id":${id},"result":[{${JSON.stringify(answered)}:{"of":1}},{}]}`)
  })
})
/** A name like any other. */
const plain = "zyxwvut"
let url = ""
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const own = (name: string, value: unknown) => Object.fromEntries([[name, value]])

/** What a run says of a project in which the name stands wherever one may. */
const outcomeOf = async (name: string, args: (name: string) => ReadonlyArray<string>, defines: boolean) => {
  const cwd = temporaryFolder()
  answered = name
  const defined = defines ? name : "other"
  const config = {
    networks: { evm: { plugin: "evm", url }, ...own(defined, { plugin: "evm", url, credits: own(defined, 7) }) },
    environments: own(defined, { vars: own(`${defined}2`, `0x${"ab".repeat(32)}`) }),
  }
  const section = `### ${defined}\n# @name ${defined}\n# @tag ${defined}\n# @retry 0\neth_getTransactionReceipt`
  const check = `?? result.${name}.of == 1\n?? error == null\n`
  writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify(config))
  writeFileSync(
    join(cwd, "a.rpc"),
    `# @network evm\n${section} [${defines ? `{{${name}2}}` : `"0x${"ab".repeat(32)}"`}]\n${check}`,
  )
  const env = { XDG_DATA_HOME: join(cwd, "data") }
  const { code, stderr, stdout } = await startAt({ cwd, env }, "run", "a.rpc", ...args(name)).outcome
  const credits = await startAt({ cwd, env }, "credits", "--format", "json").outcome
  expect(stderr).not.toContain("internal error")
  return [code, stdout, stderr, credits.stdout].map((text) =>
    String(text)
      .replaceAll(name, "NAME")
      .replace(/; did you mean .*/g, "")
      .replace(/"ms": [\d.]+|\b[\d.]+ m?s\b|[ \t]+/g, " "),
  )
}

const check = (what: string, args: (name: string) => ReadonlyArray<string>, defines = true) =>
  it.each(names)(`${what}: %s`, async (name) =>
    expect(await outcomeOf(name, args, defines)).toEqual(await outcomeOf(plain, args, defines)),
  )

describe("a name that is defined", () => {
  check("is that of a request, a tag, a network and an environment", (name) => [
    "--env",
    name,
    "--tag",
    name,
    "--name",
    name,
    "--network",
    name,
  ])
  check("is that of a variable", (name) => ["--var", `${name}2=0x${"cd".repeat(32)}`, "--format", "json"])
})

describe("a name that nothing defines", () => {
  for (const flag of ["--env", "--network", "--name", "--tag"])
    check(`is unknown to ${flag}`, (name) => [flag, name], false)
  check("is not a variable that is used", (name) => ["--var", `${name}=1`], false)
})
