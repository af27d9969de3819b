/** What the server needs of a program that keeps a session of its own, and shares it with the server. */
import type { NamedResults } from "@dotrpc/analysis"
import type { FileHost, Project, Session } from "@dotrpc/session"

/** A session that the server shares with the program it runs in. */
export interface SharedSession extends Pick<FileHost, "listFiles" | "listFolder">, Partial<Pick<FileHost, "readFile">> {
  /**
   * The documents and their projects. When the program notifies it of every change itself, that of a message is known already, and
   * a text is read and analysed once for both.
   */
  readonly session: Session
  /** Whether the program notifies the session of every change of the documents and notebooks that are open. */
  readonly isFed?: boolean | undefined
  /** Outcomes of the last runs of a document's requests, by their names: paths into them are completed. */
  readonly results?: ((document: string) => NamedResults) | undefined
  /** The ids of the price sheets that hovers over a document compare, such as `alchemy`; none when absent. */
  readonly comparePrices?: ((document: string) => ReadonlyArray<string>) | undefined
  /** Projects whose configurations are reported wherever they have a problem, also while none of their documents is open. */
  readonly configured?: (() => ReadonlyArray<Project>) | undefined
  /** Is given what to call whenever any project is another now, or a file that may be imported. */
  readonly onDidChange?: ((changed: () => void) => void) | undefined
}
