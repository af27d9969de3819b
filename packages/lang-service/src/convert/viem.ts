/**
 * Reads snippets for viem, in JavaScript or TypeScript, as far as they are static: what each call sends is known without running it.
 *
 * Invariant: of a call that is not converted only the name of its action is kept, as its values may be keys.
 */
import type { Comment } from "acorn"
import { withoutKeys } from "./keys.ts"
import type { Converted, ConvertedSection } from "./Converted.ts"
import { lineOfNode, parseScript, type ScriptNode } from "./script.ts"
import { NotStatic, shown, StaticValues } from "./staticValues.ts"
import { callOf } from "./viemActions.ts"
import { Clients } from "./viemClients.ts"

/** A request for each call of a client. What cannot be known, and what is not a read, is a comment with the reason. */
export const readViem = (text: string): Converted => {
  const script = parseScript(text)
  if ("problem" in script)
    return { variables: [], sections: [], problems: [{ line: script.line, message: script.problem }] }
  const problems: Array<{ line: number; message: string }> = []
  const sections: Array<ConvertedSection> = []
  const keys = new Set<string>()
  const values = new StaticValues(script.program)
  const clients = new Clients(values, (line, message) => problems.push({ line, message }), keys)
  const commentsAbove = commentFinder(text, script.comments)
  for (const { node, statement } of values.nodes) {
    const action = node.type === "CallExpression" ? clients.actionOf(node) : undefined
    if (action === undefined) continue
    const comments = commentsAbove(statement)
    try {
      const call = callOf(action, values)
      const [title, ...others] = comments
      sections.push({ title: title ?? call.method, comments: others, call, url: action.client.url, checks: [] })
    } catch (error) {
      if (!(error instanceof NotStatic)) throw error
      const reason = `this call cannot be converted: ${error.message}`
      problems.push({ line: lineOfNode(node), message: `${reason}; its name is kept as a comment` })
      sections.push({ title: "", comments: [...comments, `${shown(action.name)}: ${reason}`], checks: [] })
    }
  }
  problems.sort((left, right) => left.line - right.line)
  return withoutKeys({ variables: [], sections, problems }, keys)
}

/** The comments that end in the line before a statement. */
const commentFinder = (text: string, comments: ReadonlyArray<Comment>) => {
  const alone = comments.filter(({ start }) => text.slice(text.lastIndexOf("\n", start - 1) + 1, start).trim() === "")
  const byEnd = new Map(alone.flatMap((comment) => (comment.loc == null ? [] : [[comment.loc.end.line, comment]])))
  return (statement: ScriptNode): ReadonlyArray<string> => {
    const found: Array<string> = []
    let line = lineOfNode(statement) - 1
    for (let comment = byEnd.get(line); comment !== undefined; comment = byEnd.get(line)) {
      // The comments of a statement belong to its first call.
      byEnd.delete(line)
      const lines = comment.value
        .split(/\r\n|[\n\r\u2028\u2029]/)
        .map((part) => part.replace(/^[ \t]*\*? ?/, "").trimEnd())
      found.unshift(...lines.filter((part) => part !== "").slice(0, mostCommentLines))
      line = (comment.loc?.start.line ?? 1) - 1
    }
    return found
  }
}

const mostCommentLines = 200
