/** What is known of a parsed file once it has been read against a workspace: its names, its requests, and what is wrong. */
import type { CallNode, Diagnostic, DirectiveNode, FileNode, SectionNode } from "@dotrpc/lang"
import type { Abi, Method, Network, Price, UnitsReader } from "@dotrpc/spec"
import type { AbiDocument } from "./AbiDocument.ts"
import type { Comparison } from "./Comparison.ts"
import { leavesFirst } from "./internal/leavesFirst.ts"
import type { Row, RowsDocument } from "./RowsDocument.ts"
import type { Settings } from "./Settings.ts"
import type { StreamPrice } from "./StreamRequest.ts"
import type { Workspace } from "./Workspace.ts"

/** All that a text means in its workspace: its requests, names and problems. */
export interface Analysis extends FileNames {
  /** Absent for a text that is in no file. */
  readonly uri?: string | undefined
  /** As it was chosen; a request has its own when the text chooses another environment. */
  readonly workspace: Workspace
  readonly requests: ReadonlyArray<BoundRequest>
  /** Requests of imported files that those of the file need. Their indexes go on where those of the file end. */
  readonly imported: ReadonlyArray<BoundRequest>
  /** Of syntax and meaning, by position. */
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/** A section with a call, as far as it is understood. */
export interface BoundRequest {
  /** Position among the file's requests, then the imported ones. */
  readonly index: number
  readonly section: SectionNode
  readonly call: CallNode
  /** The file it stands in, when that is an imported one, and how the document would import it. */
  readonly origin?: { readonly analysis: Analysis; readonly path: string } | undefined
  /** What its names and its network are looked up in. */
  readonly workspace: Workspace
  /** From `# @name`. */
  readonly name?: string | undefined
  /** The name, else the section's title, else the method. */
  readonly label: string
  readonly method?: Method | undefined
  readonly network?: Network | undefined
  /** What its results are decoded by, beside what its plugin knows. */
  readonly abi?: Abi | undefined
  /** From `# @units`: the token whose units amounts are shown in, and how they are read. */
  readonly units?: { readonly token: string; readonly reader: UnitsReader } | undefined
  readonly settings: Settings
  /** From `# @compare`: the other network that the call is made on. */
  readonly compare?: Comparison | undefined
  /** Why it is not compared, where the file or the run asks for it and this request cannot be. */
  readonly notCompared?: string | undefined
  /** Indexes of the requests to run first, in their order. */
  readonly dependsOn: ReadonlyArray<number>
  /** What it costs by itself, without the requests it depends on. */
  readonly price?: Price.PriceRange | undefined
  /** What listening costs, of a request that opens a subscription. */
  readonly stream?: StreamPrice | undefined
  /** Consecutive requests with the same key may become one call; see {@link togetherKey}. Absent if the params need results. */
  readonly together?: string | undefined
  /** From `# @each`: the rows that its call is made for. */
  readonly each?: EachRow | undefined
  /** The row whose call it makes, of a request that {@link rowRequests} made of one with `# @each`. */
  readonly row?: Row | undefined
  /** Why it must not be sent. */
  readonly errors: ReadonlyArray<Diagnostic>
}

/** What a request with `# @each` is made for. */
export interface EachRow {
  /** As it is written: `holders.csv`, `holders.result`. */
  readonly source: string
  /** What the call of one row costs. */
  readonly price?: Price.PriceRange | undefined
  /** Absent as long as other requests have to run before the rows are known. */
  readonly rows?: ReadonlyArray<Row> | undefined
  /** How many of the rows have calls of their own, where some are equal: equal calls are made once. */
  readonly different?: number | undefined
  /** How many of these the budget of the request pays for at most; absent where it may pay for all. */
  readonly within?: number | undefined
}

/** The names that a file has: its own variables and requests, and those of the files that it imports. */
export interface FileNames {
  readonly tree: FileNode
  /** Its requests that have a name, in the order of the file; of two with one name the first has it. */
  readonly namedRequests: ReadonlyMap<string, SectionNode>
  /** In the order of the file; of two imports that have one name the later one counts. */
  readonly imports: ReadonlyArray<Import>
  /** What the paths behind `# @abi` lead to, by the path as it is written; one that leads nowhere is missing. */
  readonly abiDocuments: ReadonlyMap<string, AbiDocument>
  /** The same of the paths behind `# @each`. */
  readonly rowsDocuments: ReadonlyMap<string, RowsDocument>
}

/** `# @import PATH`, and what it leads to. */
export interface Import {
  readonly directive: DirectiveNode
  /** Absent when the path is none. */
  readonly uri?: string | undefined
  /** Absent when the file cannot be read, or imports this one in turn. */
  readonly analysis?: Analysis | undefined
  /** Why the file that is there is not used, after its name. */
  readonly problem?: string | undefined
}

/** The requests to run for the chosen ones: dependencies first, each once, otherwise in the order of the file. */
export const withDependencies = (analysis: Analysis, chosen: Iterable<number>): ReadonlyArray<BoundRequest> => {
  const needs = { get: (index: number) => requestAt(analysis, index)?.dependsOn }
  const order = new Set<number>()
  for (const index of chosen) for (const needed of leavesFirst(index, needs, order)) order.add(needed)
  return [...order].flatMap((index) => requestAt(analysis, index) ?? [])
}

/** The request of an index, of the file or imported. */
export const requestAt = ({ imported, requests }: Analysis, index: number): BoundRequest | undefined =>
  requests[index] ?? imported[index - requests.length]
