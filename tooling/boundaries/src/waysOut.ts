/** Finds code that can open a connection and is not in the table of SECURITY.md. Pure: texts in, violations out. */
import type { SourceFile, Violation } from "./check.ts"

/** `security` is the text of SECURITY.md, whose table names the files that open each way out. */
export const findWaysOut = (security: string, files: ReadonlyArray<SourceFile>): ReadonlyArray<Violation> => {
  const rows = security.split("\n").filter((line) => line.startsWith("|"))
  const named = new Set(
    rows.flatMap((row) => [...row.matchAll(/\]\(((?:packages|apps)\/[^)]+\.ts)\)/g)].map(([, path]) => path)),
  )
  const opening = files
    .filter(({ path }) => /^(?:packages|apps)\/[^/]+\/src\//.test(path))
    .map(({ path, text }) => ({ path, line: text.split("\n").findIndex(opens) + 1 }))
    .filter(({ line }) => line > 0)
  const isOpening = new Set(opening.map(({ path }) => path))
  return [
    ...opening
      .filter(({ path }) => !named.has(path))
      .map(({ line, path }) => ({
        path,
        line,
        message: "opens a connection that the table of ways out in SECURITY.md does not have: ask the gate, and add it",
      })),
    ...[...named]
      .filter((path) => path !== undefined && !isOpening.has(path))
      .map((path) => ({ path: "SECURITY.md", line: 1, message: `names ${path}, which opens no connection` })),
  ]
}

/** A comment opens nothing, and neither does a type. */
const opens = (line: string): boolean =>
  !/^\s*(?:\*|\/\/|\/\*|import type\b)/.test(line) && openers.some((opener) => opener.test(line))

const openers: ReadonlyArray<RegExp> = [
  /\bfetch\(/,
  /\bfetch = globalThis\.fetch\b/,
  /\bFetchHttpClient\b/,
  /\bnew make\(/,
  /\bnew (?:\w+\.)?(?:WebSocket|EventSource|XMLHttpRequest|Redis|Pool|Client|Agent|ProxyAgent|EnvHttpProxyAgent)\(/,
  /(?:from|import\() ?["'](?:ioredis|undici|@effect\/sql-pg(?:\/\w+)?)["']/,
  /\brequest\b.*from ["']node:https?["']/,
  /\bhttps?\)\.request\(/,
  /\bsendBeacon\(/,
  /\b(?:net|tls|http|https|http2|dgram|dns)\.(?:connect|request|get|createConnection|createSocket|lookup|resolve\w*)\(/,
  /\bPgClient\b/,
  /\.dispatch\($/,
  /\bDuckDBInstance\.create\(/,
]
