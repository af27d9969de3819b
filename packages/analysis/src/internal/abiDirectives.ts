/** The lines `# @abi …` of a file. */
import type { DirectiveNode, FileNode, SectionNode } from "@dotrpc/lang"

/** The paths of ABI files in a file, as they are written. */
export const abiPaths = ({ prelude, sections, tokens }: FileNode): ReadonlyArray<string> => {
  // Asked on every key, of files that mostly have none.
  if (!tokens.text.includes("@abi")) return []
  const values = [prelude, ...sections].flatMap(abiDirectives).map(({ value }) => value.text)
  return [...new Set(values.filter((text) => !isDeclaration(text)))]
}

export const abiDirectives = ({ directives }: Pick<SectionNode, "directives">): ReadonlyArray<DirectiveNode> =>
  directives.filter(({ name, value }) => name.text === "abi" && value.text !== "")

/** A file may have parentheses in its name, and a declaration never ends like one. */
export const isDeclaration = (text: string): boolean => !/\.json$/i.test(text) && /\(|^event\b/.test(text)
