/** Refusals: statuses, waits without measure, redirects, and what must not be sent twice. */
import { body, rpcError } from "../answers.ts"
import { type Case } from "../Case.ts"

const refused: Case["status"] = ["failed", "rpc-error"]

const redirects = [301, 302, 303, 307, 308].map((status): Case => ({
  name: `redirect-${status}`,
  http: (call) => body(status, "", { location: `${call.elsewhere}${call.url}` })(call),
  status: refused,
}))

const places = {
  itself: "/redirect-to-itself/v3/x",
  script: "javascript:alert(1)",
  file: "file:///etc/passwd",
  nowhere: "http://[",
  nothing: "",
}
const redirectPlaces = Object.entries(places).map(([name, location]): Case => ({
  name: `redirect-to-${name}`,
  http: body(302, "", { location }),
  status: refused,
}))

const statuses = [
  400, 401, 402, 403, 404, 405, 407, 408, 410, 413, 414, 418, 421, 425, 426, 429, 431, 451, 499, 500, 501, 502, 503,
  504, 520, 599,
]
const plain = statuses.map((status): Case => ({
  name: `status-${status}`,
  http: body(status, `status ${status}`),
  status: ["failed", "rpc-error", "refused"],
}))

const waits = [
  "1e12",
  "-5",
  "Infinity",
  "NaN",
  "9".repeat(400),
  "Fri, 31 Dec 9999 23:59:59 GMT",
  "Thu, 01 Jan 1970 00:00:00 GMT",
  "0x10",
  "1, 2, 3",
  "0",
  "soon",
]
const waiting = [401, 402, 429, 503].flatMap((status) =>
  waits.map((wait, index): Case => ({
    name: `status-${status}-wait-${index}`,
    http: body(status, "", { "retry-after": wait }),
    directives: ["@retry 1"],
    sends: 2,
    status: ["failed", "rpc-error", "refused"],
  })),
)

const words = [
  "try again in 99999999999999999999h",
  "try again in -1s",
  "try again in 1e308ms",
  `retry in ${"9".repeat(300)} seconds`,
]
const wordsOfWaits = words.map((message, index): Case => ({
  name: `words-of-a-wait-${index}`,
  http: rpcError({ code: 429, message, data: { backoff_seconds: 1e308, rate: { backoff_seconds: -1 } } }, 429),
  directives: ["@retry 1"],
  sends: 2,
  status: ["failed", "rpc-error", "refused"],
}))

/** What is wrong with the request is wrong the next time as well, whatever status a server wraps it in. */
const definite = [-32_600, -32_601, -32_602, -32_700].flatMap((code) =>
  [500, 502, 503].map((status): Case => ({
    name: `definite${code}-in-${status}`,
    http: rpcError({ code, message: "no" }, status),
    directives: ["@retry 4"],
    sends: 1,
    status: refused,
  })),
)

export const refusals: ReadonlyArray<Case> = [
  ...redirects,
  ...redirectPlaces,
  ...plain,
  ...waiting,
  ...wordsOfWaits,
  ...definite,
  { name: "status-500-five-times", http: body(500, "no"), directives: ["@retry 4"], sends: 5, status: refused },
]
