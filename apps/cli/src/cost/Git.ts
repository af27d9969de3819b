/**
 * What git knows of a repository, asked without a shell.
 *
 * Invariant: git only reads. It runs no hook and no monitor of files, fetches nothing, and takes no name for a flag.
 */
import { ExitCode } from "@dotrpc/runner"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { posix } from "node:path"
import { CommandFailed } from "../CommandFailed.ts"
import { Host } from "../Host.ts"

/** A text of a commit. */
export interface Blob {
  /** From the root of the repository, with `/`. */
  readonly path: string
  readonly id: string
  readonly size: number
}

/** Of all texts that are read of a commit, and of what git says otherwise. */
const mostBytes = 64 * 1_048_576
const mostBlobBytes = 4 * 1_048_576
const mostMillis = 60_000

/** The commit that a name stands for. */
export const commitOf = Effect.fnUntraced(function* (name: string) {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]
  const found = yield* git(args)
  if (found !== undefined) return found.toString().trim()
  return yield* failed(
    `git does not know "${name}": name a branch, a tag or a commit; in CI fetch it first, as with fetch-depth: 0`,
  )
})

/** The way from the root of the repository to the working folder: `apps/web/`, or nothing. */
export const prefix = Effect.gen(function* () {
  const found = yield* git(["rev-parse", "--show-prefix"])
  if (found !== undefined) return found.toString().replace(/\n$/, "")
  return yield* failed("this folder is not in a git repository that git can read: run dotrpc cost in one")
})

/** Files of the working folder and below that git knows or would add, as seen from there, without those that were deleted. */
export const filesHere = Effect.gen(function* () {
  const listed = yield* answered(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
  const deleted = new Set(entriesOf(yield* answered(["ls-files", "-z", "--deleted"])))
  return [...new Set(entriesOf(listed))].filter((path) => !deleted.has(path))
})

/** Whether git keeps a file of the working folder, which then goes wherever the repository goes. Without git none is kept. */
export const isTracked = (name: string): Effect.Effect<boolean, never, Host> =>
  git(["ls-files", "--error-unmatch", "--", name]).pipe(
    Effect.map((found) => found !== undefined),
    Effect.orElseSucceed(() => false),
  )

/** The files of a commit whose paths are wanted, links to files of the commit included, and why others cannot be read. */
export const blobsOf = Effect.fnUntraced(function* (commit: string, isWanted: (path: string) => boolean) {
  const listed = yield* answered(["ls-tree", "-r", "-z", "-l", "--full-tree", "--end-of-options", commit])
  const all = new Map(
    entriesOf(listed)
      .flatMap((line) => entryOf(line) ?? [])
      .map((entry) => [entry.path, entry]),
  )
  const wanted = [...all.values()].filter(({ path }) => isWanted(path))
  const links = wanted.filter((entry) => entry.isLink && problemOf(entry) === undefined)
  const targets = yield* textsOf(links)
  const followed = new Map(
    links.map(({ path }, index) => {
      const target = String(targets[index])
      // One that begins at the root of the disk leads out of the commit.
      return [path, posix.isAbsolute(target) ? undefined : all.get(posix.join(posix.dirname(path), target))]
    }),
  )
  const found = wanted.map((entry) => {
    const { path } = entry
    const file = entry.isLink ? (followed.get(path) ?? entry) : entry
    return {
      path,
      id: file.id,
      size: file.size,
      problem: problemOf(entry) ?? (file.isLink ? badLink : problemOf(file)),
    }
  })
  return {
    blobs: found.filter(({ problem }) => problem === undefined) as ReadonlyArray<Blob>,
    unread: found.flatMap(({ path, problem }) => (problem === undefined ? [] : [{ path, problem }])),
  }
})

/** A file or a link of a commit; its size is no number where its text is missing. */
interface Entry extends Blob {
  readonly isLink: boolean
}

const entryOf = (line: string): Entry | undefined => {
  const [, mode, id, size, path] = /^(100644|100755|120000) blob ([0-9a-f]+) +(\w+)\t([^]+)$/.exec(line) ?? []
  return id === undefined || path === undefined
    ? undefined
    : { path, id, size: Number(size), isLink: mode === "120000" }
}

const problemOf = ({ path, size }: Entry): string | undefined => {
  if (!isPlain(path)) return "has a name that leads elsewhere"
  if (Number.isNaN(size))
    return "is missing in this copy of the repository: git archive --output=/dev/null COMMIT fetches it into a partial clone"
  return size > mostBlobBytes ? "is larger than 4 MiB" : undefined
}

const badLink = "is a link to something other than a file of the commit"

/** The texts of blobs, in their order. */
export const textsOf = Effect.fnUntraced(function* (
  blobs: ReadonlyArray<Blob>,
): Effect.fn.Return<ReadonlyArray<Buffer>, CommandFailed, Host> {
  if (blobs.reduce((sum, { size }) => sum + size, 0) > mostBytes)
    return yield* failed(
      "the requests of a commit and what belongs to them take more than 64 MiB: run dotrpc cost in a deeper folder",
    )
  if (blobs.length === 0) return []
  const out = yield* answered(["cat-file", "--batch"], blobs.map(({ id }) => `${id}\n`).join(""))
  let at = 0
  return blobs.map(({ size }) => {
    const start = out.indexOf("\n", at) + 1
    at = start + size + 1
    return out.subarray(start, start + size)
  })
})

const entriesOf = (text: Buffer): ReadonlyArray<string> =>
  text
    .toString()
    .split("\0")
    .filter((entry) => entry !== "")

/** A hostile tree may have names that lead elsewhere. */
const isPlain = (path: string): boolean =>
  !path.includes("\\") && path.split("/").every((part) => !["", ".", "..", ".git"].includes(part.toLowerCase()))

/** What git answers; fails where it does not. */
const answered = Effect.fnUntraced(function* (args: ReadonlyArray<string>, input = "") {
  return (yield* git(args, input)) ?? (yield* failed(`git ${args[0] ?? ""} did not succeed: try git fsck`))
})

/** The settings of a repository may name commands that git starts, and caches that it writes. */
const harmless = ["core.fsmonitor=false", "core.untrackedCache=false", "core.hooksPath=/dev/null"].flatMap(
  (setting) => ["-c", setting],
)

/** What git writes to stdout; `undefined` where it ends with another code than 0. */
const git = (args: ReadonlyArray<string>, input = ""): Effect.Effect<Buffer | undefined, CommandFailed, Host> =>
  Effect.flatMap(Host, ({ cwd, env }) =>
    Effect.callback<Buffer | undefined, CommandFailed>((resume) => {
      const child = spawn("git", ["--no-pager", ...harmless, ...args], {
        cwd,
        env: { ...env, GIT_OPTIONAL_LOCKS: "0", GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0" },
        stdio: ["pipe", "pipe", "ignore"],
        timeout: mostMillis,
      })
      const pieces: Array<Buffer> = []
      let size = 0
      child.stdout.on("data", (piece: Buffer) => {
        size += piece.length
        if (size > 2 * mostBytes) child.kill()
        else pieces.push(piece)
      })
      child.on("error", () => resume(failed("git cannot be started: install it, or add it to the PATH")))
      child.on("close", (code) => resume(Effect.succeed(code === 0 ? Buffer.concat(pieces) : undefined)))
      child.stdin.on("error", () => {})
      child.stdin.end(input)
      return Effect.sync(() => child.kill())
    }),
  )

const failed = (line: string) => Effect.fail(new CommandFailed({ lines: [line], exitCode: ExitCode.invalid }))
