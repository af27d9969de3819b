/** The statuses of requests in reports, as docs and `dotrpc explain` have them. */
import type { RequestStatus } from "@dotrpc/runner"

export const statuses: Readonly<Record<RequestStatus, string>> = {
  ok: "it was answered, and its checks passed",
  "check-failed": "it was answered, and a check failed, or the result on another network differs",
  "compare-failed":
    "it was answered, and its checks passed, but the other network of `# @compare` or `--compare` gave no result: `compare.status` says why",
  "rpc-error": 'the server answered with an error; with `"expected": true` its checks ask for that error',
  failed: "it was never answered, or was not sent",
  refused:
    "a budget or a limit forbade it, and nothing was sent; or, of a request that takes several calls, forbade the rest: `calls` and `credits` say what was sent before, and `partial` has what was read",
  skipped: "it did not run",
}
