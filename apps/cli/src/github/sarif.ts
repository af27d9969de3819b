/** Problems of files as SARIF 2.1.0, for services that show what scanners of code have found. */
import type { Diagnostic } from "@dotrpc/lang"
import { lineIndex, positionAt } from "@dotrpc/lang/locate"
import type { Json } from "@dotrpc/spec"
import { version } from "../version.ts"

interface CheckedFile {
  readonly file: string
  readonly text: string
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/** `problems` are files that could not be read. */
export const sarifReport = (files: ReadonlyArray<CheckedFile>, problems: ReadonlyArray<string>): Json.JsonObject => {
  const codes = [...new Set(files.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code)))].toSorted()
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "dotrpc",
            version,
            rules: codes.map((id) => ({ id, help: { text: `dotrpc explain ${id}` } })),
          },
        },
        // SARIF counts characters from 1, in UTF-16 where it says so.
        columnKind: "utf16CodeUnits",
        invocations: [
          {
            executionSuccessful: problems.length === 0,
            toolExecutionNotifications: problems.map((text) => ({ level: "error", message: { text } })),
          },
        ],
        results: files.flatMap(resultsOf),
      },
    ],
  }
}

const resultsOf = ({ diagnostics, file, text }: CheckedFile): ReadonlyArray<Json.JsonObject> => {
  const lines = lineIndex(text)
  const uri = file.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/")
  return diagnostics.map((diagnostic) => {
    const start = positionAt(lines, diagnostic.start)
    const end = positionAt(lines, diagnostic.end)
    const region = {
      startLine: start.line + 1,
      startColumn: start.character + 1,
      endLine: end.line + 1,
      endColumn: end.character + 1,
    }
    return {
      ruleId: diagnostic.code,
      level: diagnostic.severity === "info" ? "note" : diagnostic.severity,
      message: { text: diagnostic.message },
      locations: [{ physicalLocation: { artifactLocation: { uri }, region } }],
    }
  })
}
