/** Folds each `###` section of an `.rpc` file down to its title. */
import * as vscode from "vscode"

export function provideSectionFolding(): vscode.Disposable {
  return vscode.languages.registerFoldingRangeProvider(
    { language: "rpc" },
    {
      provideFoldingRanges: (document) => sections(document.getText().split(/\r?\n/)),
    },
  )
}

/** A section ends at its last line that is not blank, so that folded titles keep their distance. */
function sections(lines: ReadonlyArray<string>): Array<vscode.FoldingRange> {
  const ranges: Array<vscode.FoldingRange> = []
  let start: number | undefined
  let lastText = 0
  const close = (): void => {
    if (start !== undefined && lastText > start) ranges.push(new vscode.FoldingRange(start, lastText))
  }
  for (const [index, line] of lines.entries()) {
    if (line.startsWith("###")) {
      close()
      start = index
    }
    if (line.trim() !== "") lastText = index
  }
  close()
  return ranges
}
