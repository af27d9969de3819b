/** A file of requests as a file of another tool. */
import { Visible } from "@dotrpc/spec"
import { castCommand, castObstacle } from "./cast.ts"
import { curlWith } from "./curl.ts"
import { endpointObstacle, namesOf } from "./endpoint.ts"
import type { ExportedCall, LeftOutCall } from "./ExportedCall.ts"
import { httpObstacle, httpRequest } from "./http.ts"
import { LiteralKeys, mentionedNames } from "./LiteralKeys.ts"
import { ethers, kit, leftOutWords, type Library, scriptOf, viem } from "./modules.ts"
import { shellComment } from "./shell.ts"

/** A tool that requests can be written for. */
export type ExportFormat = "curl" | "cast" | "viem" | "ethers" | "kit" | "http"

/** The text, how many calls are in it, and which requests are comments in it. */
export interface ExportedFile {
  readonly text: string
  readonly calls: number
  readonly leftOut: ReadonlyArray<LeftOutCall>
}

/**
 * Writes requests for a tool. What the tool cannot do is a comment that says why. `project` has the texts of
 * the project: no key that is written into the configuration gets the name of a secret or variable in them.
 */
export const exportFile = (
  requests: ReadonlyArray<ExportedCall | LeftOutCall>,
  format: ExportFormat,
  project: ReadonlyArray<string> = [],
): ExportedFile => {
  const { obstacle, write } = formats[format]
  const fit = requests.map((request): ExportedCall | LeftOutCall => {
    const reason = "reason" in request ? undefined : (endpointObstacle(request) ?? obstacle(request))
    return reason === undefined ? request : { label: request.label, reason }
  })
  const leftOut = fit.filter((request) => "reason" in request)
  const taken = fit.flatMap((request) => ("reason" in request ? [] : namesOf(request)))
  const keys = new LiteralKeys([...taken, ...mentionedNames(project)])
  return { text: write(fit, keys), calls: fit.length - leftOut.length, leftOut }
}

interface Format {
  /** Why a call cannot be written; `undefined` when it can. */
  readonly obstacle: (call: ExportedCall) => string | undefined
  readonly write: (requests: ReadonlyArray<ExportedCall | LeftOutCall>, keys: LiteralKeys) => string
}

/** Each after the one before, with its title and comments. */
const oneByOne =
  (write: (call: ExportedCall, keys: LiteralKeys) => string, titleOf: Comment, commentOf: Comment): Format["write"] =>
  (requests, keys) =>
    requests
      .map((request) => {
        const title = titleOf(request.label)
        if ("reason" in request) return `${title}\n${commentOf(leftOutWords(request))}\n`
        return [title, ...(request.notes ?? []).map(commentOf), write(request, keys)].join("\n")
      })
      .join("\n")

/** A line of this text that is not a part of any request. */
type Comment = (text: string) => string

const forShell = (write: (call: ExportedCall, keys: LiteralKeys) => string): Format["write"] =>
  oneByOne(write, shellComment, shellComment)

const moduleFor = (library: Library): Format => ({
  obstacle: library.obstacle,
  write: (requests, keys) => scriptOf(library, requests, keys),
})

const formats: Readonly<Record<ExportFormat, Format>> = {
  curl: { obstacle: () => undefined, write: forShell(curlWith) },
  cast: { obstacle: castObstacle, write: forShell(castCommand) },
  http: {
    obstacle: httpObstacle,
    write: oneByOne(
      httpRequest,
      (title) => `### ${Visible.line(title)}`,
      (text) => `# ${Visible.line(text)}`,
    ),
  },
  viem: moduleFor(viem),
  ethers: moduleFor(ethers),
  kit: moduleFor(kit),
}
