/** The GitHub Action, with the environment of its runner imitated: the step of `action.yml` runs the built command. */
import { execFileSync, spawn } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { removeFolders, temporaryFolder } from "./folders.ts"
import { binary, processEnvironment } from "./process.ts"

const root = join(import.meta.dirname, "../../..")
const action = readFileSync(join(root, "action.yml"), "utf8")
const token = "token-of-the-job"

const inputs = new Map(
  [...action.matchAll(/^ {2}([\w-]+):\n {4}description: .*\n(?: {4}default: (.*)\n)?/gm)].map(
    ([, name = "", value = ""]) => [name, name === "token" ? token : value.replaceAll('"', "")],
  ),
)
const variables = [...action.matchAll(/^ {8}(INPUT_\w+): \$\{\{ inputs\.([\w-]+) \}\}$/gm)]
const script = /^ {6}run: (.*)$/m.exec(action)?.[1] ?? ""

/** What GitHub has of the pull request, and what it was asked. */
const gitHub = {
  comments: [] as Array<{ id: number; body: string; user: { type: string }; author_association: string }>,
  asked: [] as Array<string>,
  mayComment: true,
}
const server = createServer((request, response) => {
  const pieces: Array<Buffer> = []
  request.on("data", (piece: Buffer) => pieces.push(piece))
  request.on("end", () => {
    const { method = "", url = "" } = request
    const answer = (status: number, value: unknown) => response.writeHead(status).end(JSON.stringify(value))
    gitHub.asked.push(`${method} ${url.split("?")[0] ?? ""}`)
    if (request.headers.authorization !== `Bearer ${token}`) return answer(401, {})
    if (method === "GET") return answer(200, gitHub.comments)
    if (!gitHub.mayComment) return answer(403, { message: "Resource not accessible by integration" })
    const { body } = JSON.parse(Buffer.concat(pieces).toString()) as { body: string }
    if (method === "POST")
      gitHub.comments.push({ id: gitHub.comments.length + 1, body, user: { type: "Bot" }, author_association: "NONE" })
    else for (const each of gitHub.comments) if (url.endsWith(`/comments/${each.id}`)) each.body = body
    return answer(method === "POST" ? 201 : 200, {})
  })
})
beforeAll(() => new Promise<void>((done) => void server.listen(0, "127.0.0.1", done)))
afterAll(() => {
  server.close()
  removeFolders()
})

const git = (cwd: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
    cwd,
    encoding: "utf8",
  }).trim()

const logs = (to: string) => `### Logs\n# @name a\neth_getLogs [{ "fromBlock": "0x0", "toBlock": "${to}" }]\n`
const config = JSON.stringify({ networks: { evm: { plugin: "evm", url: "embedded:evm" } }, ledger: "memory" })

/** A repository of two commits. */
const repository = (head: Readonly<Record<string, string>> = {}): string => {
  const cwd = temporaryFolder()
  git(cwd, "init", "-q")
  const commit = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
    git(cwd, "add", "-A")
    git(cwd, "commit", "-q", "-m", "one")
  }
  commit({ "rpc.config.json": config, "a.rpc": logs("0xff") })
  commit({ "a.rpc": `${logs("0xff")}?? result.length == 1\n\n### Head\neth_blockNumber\n`, ...head })
  return cwd
}

interface Job {
  readonly cwd: string
  readonly given: Readonly<Record<string, string>>
  readonly isFork?: boolean
  readonly env?: Readonly<Record<string, string>>
}

const runAction = async ({ cwd, env, given, isFork = false }: Job) => {
  const temporary = temporaryFolder()
  const file = (name: string) => join(temporary, name)
  for (const name of ["output", "summary"]) writeFileSync(file(name), "")
  const base = { sha: git(cwd, "rev-list", "--max-parents=0", "HEAD") }
  const head = { repo: { full_name: isFork ? "them/project" : "us/project" } }
  writeFileSync(file("event"), JSON.stringify({ pull_request: { number: 7, base, head } }))
  const address = server.address()
  const all = new Map([...inputs, ["command", `${process.execPath} ${binary}`], ...Object.entries(given)])
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
    cwd,
    env: {
      ...processEnvironment({}),
      CI: "true",
      GITHUB_ACTION_PATH: root,
      GITHUB_API_URL: `http://127.0.0.1:${typeof address === "object" ? (address?.port ?? 0) : 0}`,
      GITHUB_EVENT_PATH: file("event"),
      GITHUB_JOB: "requests",
      GITHUB_OUTPUT: file("output"),
      GITHUB_REPOSITORY: "us/project",
      GITHUB_STEP_SUMMARY: file("summary"),
      GITHUB_WORKFLOW: "CI",
      GITHUB_WORKSPACE: cwd,
      RUNNER_TEMP: temporary,
      ...Object.fromEntries(variables.map(([, name = "", of = ""]) => [name, all.get(of) ?? ""])),
      ...env,
    },
  })
  let log = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (log += text.toString()))
  const code = await new Promise((done) => child.on("close", done))
  const read = (name: string) => readFileSync(file(name), "utf8")
  return { code, log, summary: read("summary"), output: read("output") }
}

const resetGitHub = (mayComment = true) => Object.assign(gitHub, { comments: [], asked: [], mayComment })

describe("a pull request", () => {
  it("gets one comment with the change of its costs and its run, which the next run of the job changes", async () => {
    resetGitHub()
    const cwd = repository()
    const given = { run: "a.rpc", "max-credits": "1000", sarif: "true" }
    const { code, log, output, summary } = await runAction({ cwd, given })
    expect(log).toContain("::error file=a.rpc,line=4,title=a::result.length == 1%0Aactual ")
    expect(code).toBe(1)
    const [comment] = gitHub.comments
    for (const words of [
      "### Check: 0 errors, 0 warnings",
      "| a.rpc | 255 credits | ",
      "### Run: failed with exit code 1",
    ]) {
      expect(comment?.body).toContain(words)
      expect(summary).toContain(words)
    }
    expect(output).toMatch(/^sarif=.*\njunit=.*\nexit-code=1\n$/)
    const pathOf = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(output)?.[1] ?? ""
    expect(readFileSync(pathOf("junit"), "utf8")).toContain('<failure message="result.length == 1">')
    expect(JSON.parse(readFileSync(pathOf("sarif"), "utf8"))).toMatchObject({
      version: "2.1.0",
      runs: [{ results: [] }],
    })
    await runAction({ cwd, given: {} })
    expect(gitHub.comments.length).toBe(1)
    expect(gitHub.comments[0]?.body).not.toContain("### Run")
    expect(gitHub.asked).toEqual([
      "GET /repos/us/project/issues/7/comments",
      "POST /repos/us/project/issues/7/comments",
      "GET /repos/us/project/issues/7/comments",
      "PATCH /repos/us/project/issues/comments/1",
    ])
  })
  it("gets a comment of its own where a stranger has written one with the same mark", async () => {
    resetGitHub()
    const body = `<!-- dotrpc ${encodeURIComponent("CI/requests")} -->\nAll is free`
    gitHub.comments.push({ id: 1, body, user: { type: "User" }, author_association: "NONE" })
    await runAction({ cwd: repository(), given: {} })
    expect([gitHub.comments.length, gitHub.comments[0]?.body]).toEqual([2, body])
  })
  it("from a fork is checked, compared and planned: nothing is sent, and the token that may not comment is a sentence", async () => {
    resetGitHub(false)
    const given = { run: "a.rpc", "max-credits": "1000", meter: "touch ran" }
    const cwd = repository()
    const { code, log, summary } = await runAction({ cwd, given, isFork: true })
    expect([code, existsSync(join(cwd, "ran"))]).toEqual([0, false])
    expect(log.match(/^::.*$/gm)).toEqual([
      expect.stringMatching(/^::notice title=dotrpc::no comment was written: the token may not comment\. /),
    ])
    expect(summary).toContain("so nothing was sent")
    expect(summary).toContain("335 credits in total; nothing was sent")
  })
  it("whose base is not in a shallow copy is compared all the same", async () => {
    resetGitHub()
    const origin = repository()
    const copy = temporaryFolder()
    git(origin, "config", "uploadpack.allowAnySHA1InWant", "true")
    git(copy, "clone", "-q", "--depth=1", `file://${origin}`, ".")
    const base = git(origin, "rev-parse", "HEAD~1")
    const { code, summary } = await runAction({ cwd: copy, given: { base } })
    expect([code, summary]).toEqual([0, expect.stringContaining("+80 credits (+31.4%)")])
  })
})

describe("a part that fails", () => {
  const check = (
    said: string,
    given: Readonly<Record<string, string>>,
    expected: { readonly code: number; readonly log: RegExp },
    head?: Readonly<Record<string, string>>,
  ) =>
    it(`${said} ends the job with ${expected.code}, and the comment is written`, async () => {
      resetGitHub()
      const { code, log } = await runAction({ cwd: repository(head), given })
      expect(log).toMatch(expected.log)
      expect([code, gitHub.comments.length]).toEqual([expected.code, 1])
    })
  check(
    "a file with an error",
    {},
    { code: 2, log: /^::error file=b\.rpc,line=2,col=1,endLine=2,title=A\d+::/m },
    {
      "b.rpc": "###\neth_getLgs []\n",
    },
  )
  check("a run without a limit", { run: "a.rpc" }, { code: 2, log: /it needs the input max-credits/ })
  check(
    "a run above its limit",
    { run: "a.rpc", "max-credits": "10" },
    { code: 4, log: /^::error title=dotrpc::nothing was sent.* --max-credits is 10$/m },
  )
  check(
    "a change that costs too much",
    { "max-increase": "1%" },
    { code: 4, log: /^::error title=dotrpc cost::.*more than/m },
  )
  check("what costs too much for its own command", { command: "", "max-increase": "1%" }, { code: 4, log: /more than/ })
  check("a metered command", { meter: "echo metered; exit 3", "max-credits": "10" }, { code: 3, log: /^metered$/m })
})

describe("what cannot be started is a sentence in an annotation and in the summary", () => {
  const check = (
    said: string,
    given: Readonly<Record<string, string>>,
    words: RegExp,
    outputs: RegExp,
    env: Readonly<Record<string, string>> = {},
    expected = 2,
  ) =>
    it(said, async () => {
      resetGitHub()
      const { code, log, output, summary } = await runAction({
        cwd: repository(),
        env,
        given: { sarif: "true", ...given },
      })
      expect(code).toBe(expected)
      expect(log.match(/^::error .*$/gm)).toEqual([expect.stringMatching(words)])
      expect(summary).toMatch(words)
      expect(log).not.toMatch(/^ {4}at |node:internal/m)
      expect(output).toMatch(outputs)
      for (const [, path = ""] of output.matchAll(/^(?:sarif|junit)=(.*)$/gm))
        expect([path, readFileSync(path, "utf8")]).not.toEqual([path, ""])
    })
  const only = /^exit-code=2\n$/
  const withSarif = /^sarif=.*\nexit-code=2\n$/
  check("a file that is not there", { files: "nope.rpc" }, /nope\.rpc/, withSarif)
  check("a folder that is not there", { "working-directory": "nope" }, /working-directory.*"nope"/, only)
  check("a folder that is a file", { "working-directory": "a.rpc" }, /working-directory.*"a\.rpc"/, only)
  check(
    "a command that is not there",
    { command: "/nope/dotrpc", base: "0" },
    /\/nope\/dotrpc/,
    /^exit-code=70\n$/,
    {},
    70,
  )
  check("a metered command with a mistaken limit", { meter: "true", "max-credits": "abc" }, /max-credits/, withSarif)
  check("a run with a mistaken limit", { run: "a.rpc", "max-credits": "abc" }, /max-credits/, withSarif)
  check("an event that is not there", {}, /GITHUB_EVENT_PATH/, only, { GITHUB_EVENT_PATH: "/nope/event.json" })
  check("a temporary folder that is not there", {}, /RUNNER_TEMP/, only, { RUNNER_TEMP: "/nope/temp" })
})

it("an input is neither a command nor a flag", async () => {
  resetGitHub()
  const cwd = repository()
  const hostile = '"; touch ran; $(touch ran) `touch ran` --version'
  const given = { files: hostile, base: hostile, prices: hostile, run: hostile, "max-credits": hostile, mask: hostile }
  const { code } = await runAction({ cwd, given })
  expect([code, existsSync(join(cwd, "ran")), script.includes("${{")]).toEqual([2, false, false])
})

it("values that a log must not show are masked in the forms in which servers repeat them", async () => {
  resetGitHub()
  const { log } = await runAction({ cwd: repository(), given: { mask: "KEY" }, env: { KEY: "a/b+c%d" } })
  expect(log.match(/^::add-mask::.*$/gm)).toEqual([
    "::add-mask::a/b+c%25d",
    "::add-mask::a%252Fb%252Bc%2525d",
    "::add-mask::YS9iK2MlZA==",
  ])
})
