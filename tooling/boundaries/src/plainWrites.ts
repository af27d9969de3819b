/** Finds places of the CLI that write text without making it one visible line. Pure: files in, violations out. */
import { parseSync, Visitor } from "oxc-parser"
import type { SourceFile, Violation } from "./check.ts"
import { plainWrites } from "./rules.ts"

/** Texts of others come into a line that `Sink.line` writes, or through `render`, and so cannot write lines of their own. */
export const findPlainWrites = (files: ReadonlyArray<SourceFile>): ReadonlyArray<Violation> =>
  files.flatMap(({ path, text }) => {
    if (!path.startsWith("apps/cli/src/") || path.startsWith("apps/cli/src/render/")) return []
    const allowed = plainWrites[path]
    const found: Array<{ readonly call: string; readonly start: number }> = []
    new Visitor({
      CallExpression: ({ callee, end, start }) => {
        if (callee.type !== "MemberExpression" || callee.computed || callee.property.type !== "Identifier") return
        if (callee.property.name === "write") found.push({ call: text.slice(start, end), start })
      },
    }).visit(parseSync(path, text).program)
    return found.flatMap(({ call, start }) =>
      allowed?.calls.some((beginning) => call.startsWith(beginning)) === true
        ? []
        : [
            {
              path,
              line: text.slice(0, start).split("\n").length,
              message:
                'may not use "write": lines of words are written by Sink.line and Sink.lines, and others are made in render (exceptions, with a reason, in tooling/boundaries/src/rules.ts)',
            },
          ],
    )
  })
