/** Replies that are nested deeper than a call stack reaches. */
import { body, result, rpcError } from "../answers.ts"
import type { Case } from "../Case.ts"

const arrays = (depth: number): string => "[".repeat(depth) + "]".repeat(depth)
const objects = (depth: number): string => '{"a":'.repeat(depth) + "1" + "}".repeat(depth)

/** Many values below as many levels as are read, beside the key, so that each of them is searched. */
const manyBelow: Case = {
  name: "many-values-500-deep-beside-the-key",
  ask: "debug_anything []",
  directives: ["@unchecked", "@timeout 60s"],
  http: result(({ key }) => `${"[".repeat(500)}"${key}",${"[{}],".repeat(1_000_000)}0${"]".repeat(500)}`),
  status: ["ok"],
}

const levels: ReadonlyArray<Case> = [3_000, 10_000, 1_000_000].flatMap((levels) => [
  { name: `result-nested-${levels}`, http: result(arrays(levels)), status: ["failed", "rpc-error", "ok"] },
  { name: `result-of-objects-nested-${levels}`, http: result(objects(levels)), status: ["failed", "rpc-error", "ok"] },
  {
    name: `error-data-nested-${levels}`,
    http: rpcError(`{"code":-32000,"message":"no","data":${objects(levels)}}`),
    status: ["failed", "rpc-error"],
  },
  {
    name: `error-data-nested-${levels}-in-500`,
    http: rpcError(`{"code":-32000,"message":"no","data":${arrays(levels)}}`, 500),
    status: ["failed", "rpc-error"],
  },
  {
    name: `id-nested-${levels}`,
    http: body(200, `{"jsonrpc":"2.0","result":"0x1","id":${arrays(levels)}}`),
    status: ["failed", "rpc-error"],
  },
  { name: `reply-nested-${levels}`, http: body(200, arrays(levels)), status: ["failed", "rpc-error"] },
])

export const depth: ReadonlyArray<Case> = [manyBelow, ...levels]
