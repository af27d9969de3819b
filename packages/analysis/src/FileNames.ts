/** The names that a file has: its own variables and requests, and those of the files that it imports. */
import type { DirectiveNode, FileNode } from "@dotrpc/lang"
import type { Analysis } from "./Analysis.ts"
import type { AbiDocument } from "./internal/abi.ts"

export interface FileNames {
  readonly tree: FileNode
  /** Of its named requests. */
  readonly requestNames: ReadonlySet<string>
  /** In the order of the file; of two imports that have one name the later one counts. */
  readonly imports: ReadonlyArray<Import>
  /** What the paths behind `# @abi` lead to, by the path as it is written; one that leads nowhere is missing. */
  readonly abiDocuments: ReadonlyMap<string, AbiDocument>
}

/** `# @import PATH`, and what it leads to. */
export interface Import {
  readonly directive: DirectiveNode
  /** Absent when the path is none. */
  readonly uri?: string
  /** Absent when the file cannot be read, or imports this one in turn. */
  readonly analysis?: Analysis
  /** Why the file that is there is not used, after its name. */
  readonly problem?: string
}
