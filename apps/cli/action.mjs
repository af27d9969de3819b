/**
 * The steps of the GitHub Action (`action.yml`): runs what its inputs ask for, and puts the results into the summary of the job,
 * into one comment of the pull request, and onto lines. It is JavaScript, as it runs on whatever Node the runner has.
 *
 * Invariant: inputs are arguments and never part of a script, except for the command that `meter` is; the token goes to GitHub alone.
 */
import { spawn } from "node:child_process"
import { appendFileSync, existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, posix, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const { env } = process
const input = (name) => (env[`INPUT_${name}`] ?? "").trim()
const words = (name) =>
  input(name)
    .split(/\s+/)
    .filter((word) => word !== "")
/** A flag with its value, where the input has one. */
const flag = (name, from) => (input(from) === "" ? [] : [name, input(from)])

const say = (line) => process.stdout.write(`${line}\n`)
const escaped = (text) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")

/** Why nothing can be started. */
const obstacles = []
const attempt = (otherwise, what, evaluate) => {
  try {
    return evaluate()
  } catch (error) {
    obstacles.push(`${what} (${error.code ?? "it is not JSON"})`)
    return otherwise
  }
}

const temporary = env.RUNNER_TEMP ?? tmpdir()
const folder = attempt("", `RUNNER_TEMP must be a folder that can be written to, and "${temporary}" is not`, () =>
  mkdtempSync(join(temporary, "dotrpc-action-")),
)
const cwd = resolve(env.GITHUB_WORKSPACE ?? ".", input("WORKING_DIRECTORY") || ".")
if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
  obstacles.push(
    `the input working-directory must be a folder of the repository, and "${input("WORKING_DIRECTORY")}" is not: is it checked out?`,
  )
const summaryOfMeter = join(folder, "meter.md")
// Without the event nobody knows whether this is a pull request from a fork.
const event = attempt({}, `GITHUB_EVENT_PATH must be a file of JSON, and "${env.GITHUB_EVENT_PATH}" is not`, () =>
  env.GITHUB_EVENT_PATH ? JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, "utf8")) : {},
)
const pull = event.pull_request
const isFork = pull !== undefined && pull.head?.repo?.full_name !== env.GITHUB_REPOSITORY

const main = async () => {
  for (const name of words("MASK")) mask(env[name] ?? "")
  const outputs = {}
  const parts = (
    obstacles.length > 0
      ? obstacles.map(notStarted)
      : [await check(outputs), await cost(), await run(outputs), await meter()]
  ).filter((part) => part !== undefined)
  const code = parts.find((part) => part.code !== 0)?.code ?? 0
  const body = ["## dotrpc", ...parts.map(({ text }) => text)].join("\n\n")
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, `${body}\n`)
  if (pull !== undefined && input("COMMENT") !== "false") await comment(body)
  const lines = Object.entries({ ...outputs, "exit-code": code }).map(([name, value]) => `${name}=${value}\n`)
  if (env.GITHUB_OUTPUT) appendFileSync(env.GITHUB_OUTPUT, lines.join(""))
  process.exitCode = code
}

/** What the runner hides is hidden in the forms in which servers repeat it as well. */
const mask = (value) => {
  for (const form of [value, encodeURIComponent(value), Buffer.from(value).toString("base64")])
    for (const line of form.split(/\r?\n/)) if (line.length > 3) say(`::add-mask::${escaped(line)}`)
}

const check = async (outputs) => {
  const { code, stderr, stdout } = await dotrpc(["check", "--format", "github", "--", ...words("FILES")])
  const count = (kind) => stdout.split("\n").filter((line) => line.startsWith(`::${kind} `)).length
  if (input("SARIF") === "true") {
    const sarif = await dotrpc(["check", "--format", "sarif", "--", ...words("FILES")], { isQuiet: true })
    if (sarif.stdout !== "") {
      outputs.sarif = join(folder, "dotrpc.sarif")
      writeFileSync(outputs.sarif, sarif.stdout)
    }
  }
  if (code !== 0 && stdout === "") return failed("check", `Check: ${ended(code)}`, code, stderr)
  return part(`Check: ${counted(count("error"), "error")}, ${counted(count("warning"), "warning")}`, code, stderr)
}

const cost = async () => {
  const base = input("BASE") || pull?.base?.sha || event.before || ""
  if (/^0*$/.test(base)) return undefined
  // A shallow copy has the last commit alone.
  const known = await started("git", ["cat-file", "-e", `${base}^{commit}`], { isQuiet: true })
  if (known.code !== 0) await started("git", ["fetch", "--quiet", "--no-tags", "--depth=1", "--", "origin", base])
  const flags = [
    ...flag("--prices", "PRICES"),
    ...flag("--runs-per-day", "RUNS_PER_DAY"),
    ...flag("--max-increase", "MAX_INCREASE"),
  ]
  const range = `${base}..HEAD`
  const { code, stderr, stdout } = await dotrpc(["cost", ...flags, "--format", "markdown", "--", range], {
    isQuiet: true,
  })
  // The name of a commit is long, and its reader knows which one the base is.
  const table = cut(stdout.replaceAll(base, /^[0-9a-f]{40}$/.test(base) ? base.slice(0, 9) : base))
  if (code !== 0 && stdout === "") return failed("cost", "Credits: not compared", code, stderr)
  const text =
    stdout === ""
      ? part("Credits: not compared", code, stderr).text
      : [table.trim(), fenced(stderr)].filter((each) => each !== "").join("\n\n")
  if (code !== 0) annotate("cost", stderr)
  return { code, text }
}

const run = async (outputs) => {
  if (words("RUN").length === 0) return undefined
  if (input("MAX_CREDITS") === "") return refused("run")
  const junit = join(folder, "dotrpc.xml")
  const plan = isFork ? ["--dry-run"] : []
  const flags = ["--format", "github", "--output", junit, "--max-credits", input("MAX_CREDITS"), ...plan]
  const { code, stderr, stdout } = await dotrpc(["run", ...flags, "--", ...words("RUN")])
  if (existsSync(junit)) outputs.junit = junit
  if (code !== 0 && !/^::error /m.test(stdout)) annotate("run", stderr)
  if (isFork)
    return part(
      `Plan: ${ended(code)}. A pull request from a fork has no secrets, so nothing was sent`,
      code,
      stdout || stderr,
    )
  return part(`Run: ${ended(code)}`, code, stderr)
}

const meter = async () => {
  if (input("METER") === "") return undefined
  if (isFork) return part("Meter: not run, as a pull request from a fork has no secrets", 0, "")
  if (input("MAX_CREDITS") === "") return refused("meter")
  const command = ["bash", "-eo", "pipefail", "-c", input("METER")]
  const { code, stderr } = await dotrpc(["meter", "--max-credits", input("MAX_CREDITS"), "--", ...command])
  const bill = existsSync(summaryOfMeter) ? readFileSync(summaryOfMeter, "utf8").trim() : ""
  // Without a bill, nothing was started, and all words are those of the meter.
  if (code !== 0 && bill === "") return failed("meter", `Meter: ${ended(code)}`, code, stderr)
  return bill === "" ? part(`Meter: ${ended(code)}`, code, "") : { code, text: cut(bill) }
}

const refused = (what) =>
  notStarted(`the input ${what} spends credits, so it needs the input max-credits: the most that it may spend`)

const notStarted = (problem) => {
  say(`::error title=dotrpc::${escaped(problem)}`)
  return part("Not started", 2, problem)
}

/** A part whose command has written no annotation of its own. */
const failed = (command, title, code, stderr) => {
  annotate(command, stderr)
  return part(title, code, stderr)
}

const annotate = (command, stderr) => say(`::error title=dotrpc ${command}::${escaped(cut(stderr.trim()))}`)

const ended = (code) => (code === 0 ? "all good" : code === 4 ? "refused by a limit" : `failed with exit code ${code}`)
const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`
const part = (title, code, text) => ({
  code,
  text: [`### ${title}`, fenced(text)].filter((each) => each !== "").join("\n\n"),
})

/** A comment has room for 65,536 characters. */
const most = 15_000
const cut = (text) =>
  text.length <= most ? text : `${text.slice(0, text.lastIndexOf("\n", most))}\n\n… the log of the job has the rest`

/** Text in which nothing is Markdown. */
const fenced = (text) => {
  if (text.trim() === "") return ""
  const shown = cut(text.trim())
  const fence = "`".repeat(Math.max(3, ...[...shown.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)))
  return `${fence}text\n${shown}\n${fence}`
}

/** The command of this version of the action, which is built where it is not yet: no name on npm is trusted to be ours. */
const built = fileURLToPath(new URL("dist/dotrpc.mjs", import.meta.url))

const dotrpc = async (args, options) => {
  const command = words("COMMAND")
  if (command.length === 0 && !existsSync(built)) {
    const from = fileURLToPath(new URL("../..", import.meta.url))
    const build = await started("npx", ["-y", "pnpm@12.21.0", "pack:cli"], { from, isQuiet: true })
    if (build.code !== 0) return { ...build, stderr: `the command could not be built:\n${build.stderr}` }
  }
  const [program, ...first] = command.length > 0 ? command : [process.execPath, built]
  return started(program, [...first, ...args], options)
}

/** Runs a program without a shell, and shows what it says. It gets neither the token nor the other inputs. */
const started = (program, args, { from = cwd, isQuiet = false } = {}) =>
  new Promise((done) => {
    const own = Object.entries(env).filter(([name]) => !name.startsWith("INPUT_"))
    const variables = { ...Object.fromEntries(own), NO_COLOR: "1", GITHUB_STEP_SUMMARY: summaryOfMeter }
    const child = spawn(program, args, { cwd: from, env: variables, stdio: ["ignore", "pipe", "pipe"] })
    const said = { stdout: "", stderr: "" }
    for (const name of ["stdout", "stderr"]) {
      child[name].setEncoding("utf8").on("data", (text) => {
        said[name] += text
      })
      if (!isQuiet) child[name].on("data", (text) => process[name].write(inWorkspace(text)))
    }
    child.on("error", ({ message }) => done({ ...said, code: 70, stderr: `${program} cannot be started: ${message}` }))
    child.on("close", (code) => done({ ...said, code: code ?? 70 }))
  })

/** GitHub looks for the files of annotations from the root of the repository. */
const inWorkspace = (text) => {
  const way = relative(env.GITHUB_WORKSPACE ?? cwd, cwd).replaceAll("\\", "/")
  return way === "" ? text : text.replace(/^(::\w+ file=)([^,:]+)/gm, (_, begin, file) => begin + posix.join(way, file))
}

/** Writes the comment of this job, or changes it where there is one. */
const comment = async (body) => {
  const marker = `<!-- dotrpc ${encodeURIComponent(`${env.GITHUB_WORKFLOW ?? ""}/${env.GITHUB_JOB ?? ""}`)} -->`
  const comments = `/repos/${env.GITHUB_REPOSITORY}/issues/${pull.number}/comments`
  try {
    const found = await ownComment(comments, marker)
    const text = JSON.stringify({ body: `${marker}\n${body}` })
    if (found === undefined) await github("POST", comments, text)
    else await github("PATCH", `/repos/${env.GITHUB_REPOSITORY}/issues/comments/${found}`, text)
  } catch (error) {
    const why =
      error.status === 401 || error.status === 403 || error.status === 404
        ? mayNot
        : `GitHub did not take it (${error.message})`
    say(`::notice title=dotrpc::no comment was written: ${escaped(why)}. The summary of the job has the same text`)
  }
}

const mayNot =
  "the token may not comment. A pull request from a fork only reads; elsewhere give the job the permission pull-requests: write"

/** That of a stranger may have the marker as well. */
const ownComment = async (comments, marker) => {
  for (let page = 1; page <= 30; page++) {
    const found = await github("GET", `${comments}?per_page=100&page=${page}`)
    const own = found.find(
      ({ author_association: of, body, user }) =>
        body?.startsWith(marker) && (user?.type === "Bot" || ["OWNER", "MEMBER", "COLLABORATOR"].includes(of)),
    )
    if (own !== undefined) return own.id
    if (found.length < 100) return undefined
  }
  return undefined
}

const github = async (method, path, body) => {
  const response = await fetch(`${env.GITHUB_API_URL ?? "https://api.github.com"}${path}`, {
    method,
    body,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${input("TOKEN")}`,
      "content-type": "application/json",
      "user-agent": "dotrpc",
      "x-github-api-version": "2022-11-28",
    },
    redirect: "error",
    signal: AbortSignal.timeout(30_000),
  })
  if (response.ok) return response.json()
  throw Object.assign(new Error(`status ${response.status}`), { status: response.status })
}

await main()
