/** The files that a document mentions. */
import { abiPaths, type Analysis, importedUri, rowsPaths } from "@dotrpc/analysis"
import type { DirectiveNode } from "@dotrpc/lang"

/** A path of the text and the file that it leads to. */
export interface MentionedFile {
  readonly directive: DirectiveNode
  readonly uri: string
}

/** Every file that a directive names, whether it is there or not. */
export const filesMentioned = ({ tree, uri }: Analysis): ReadonlyArray<MentionedFile> => {
  if (uri === undefined) return []
  const paths: ReadonlyMap<string, ReadonlySet<string>> = new Map([
    ["abi", new Set(abiPaths(tree))],
    ["each", new Set(rowsPaths(tree))],
  ])
  return [tree.prelude, ...tree.sections].flatMap(({ directives }) =>
    directives
      .filter(({ name, value }) =>
        name.text === "import" ? value.text !== "" : paths.get(name.text)?.has(value.text) === true,
      )
      .flatMap((directive) => {
        const target = importedUri(directive.value.text, uri)
        return target === undefined ? [] : [{ directive, uri: target }]
      }),
  )
}

/** The file whose path an offset is in. */
export const fileAt = (analysis: Analysis, offset: number): MentionedFile | undefined =>
  filesMentioned(analysis).find(({ directive: { value } }) => value.start <= offset && offset <= value.end)
