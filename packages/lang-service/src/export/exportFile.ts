/** A file of requests as a file of another tool. */
import { Visible } from "@dotrpc/spec"
import { castCommand, castObstacle } from "./cast.ts"
import { curlCommand } from "./curl.ts"
import type { ExportedCall, LeftOutCall } from "./ExportedCall.ts"
import { httpObstacle, httpRequest } from "./http.ts"
import { ethers, kit, leftOutWords, type Library, scriptOf, viem } from "./modules.ts"

/** A tool that requests can be written for. */
export type ExportFormat = "curl" | "cast" | "viem" | "ethers" | "kit" | "http"

/** The text, how many calls are in it, and which requests are comments in it. */
export interface ExportedFile {
  readonly text: string
  readonly calls: number
  readonly leftOut: ReadonlyArray<LeftOutCall>
}

/** Writes requests for a tool. What the tool cannot do is a comment that says why. */
export const exportFile = (requests: ReadonlyArray<ExportedCall | LeftOutCall>, format: ExportFormat): ExportedFile => {
  const { obstacle, write } = formats[format]
  const fit = requests.map((request): ExportedCall | LeftOutCall => {
    const reason = "reason" in request ? undefined : obstacle(request)
    return reason === undefined ? request : { label: request.label, reason }
  })
  const leftOut = fit.filter((request) => "reason" in request)
  return { text: write(fit), calls: fit.length - leftOut.length, leftOut }
}

interface Format {
  /** Why a call cannot be written; `undefined` when it can. */
  readonly obstacle: (call: ExportedCall) => string | undefined
  readonly write: (requests: ReadonlyArray<ExportedCall | LeftOutCall>) => string
}

/** One text after the other, with comments of a shell between them. */
const oneByOne =
  (write: (call: ExportedCall) => string, titleOf: (label: string) => string) =>
  (requests: ReadonlyArray<ExportedCall | LeftOutCall>): string =>
    requests
      .map((request) => {
        const title = titleOf(Visible.line(request.label))
        if ("reason" in request) return `${title}\n# ${leftOutWords(request)}\n`
        return [title, ...(request.notes ?? []).map((note) => `# ${Visible.line(note)}`), write(request)].join("\n")
      })
      .join("\n")

const moduleFor = (library: Library): Format => ({
  obstacle: library.obstacle,
  write: (requests) => scriptOf(library, requests),
})

const formats: Readonly<Record<ExportFormat, Format>> = {
  curl: { obstacle: () => undefined, write: oneByOne(curlCommand, (label) => `# ${label}`) },
  cast: { obstacle: castObstacle, write: oneByOne(castCommand, (label) => `# ${label}`) },
  http: { obstacle: httpObstacle, write: oneByOne(httpRequest, (label) => `### ${label}`) },
  viem: moduleFor(viem),
  ethers: moduleFor(ethers),
  kit: moduleFor(kit),
}
