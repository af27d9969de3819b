/**
 * Bodies in files that an imported text mentions. The text may be anybody's, and the file may be a key.
 *
 * Invariant: nothing of such a file is in the output or in a message, unless all of it is the body of a JSON-RPC request.
 */
import type { ReadMentioned } from "./Converted.ts"
import { readJsonRpc } from "./jsonRpc.ts"

/** The body, or why it is not used, in words that follow "its data". `asJson` fills in what the other tool would. */
export const mentionedBody = (
  path: string,
  readMentioned: ReadMentioned,
  asJson: (text: string) => string = (text) => text,
): { readonly text: string } | { readonly problem: string } => {
  const file = readMentioned(path)
  if (file === undefined) return { problem: `is in ${path}, which cannot be read` }
  if (typeof file !== "string") return { problem: `is in ${path}, which ${file.problem}` }
  // By itself: between the pieces of a call, anything is a string of JSON.
  if ("problem" in readJsonRpc(asJson(file)))
    return { problem: `is in ${path}, which is not JSON-RPC and is not copied` }
  return { text: file }
}
