/** The credits view as plain data: what is left, then what the rest went to, by method, network and file. All amounts are credits. */
import { Table } from "@dotrpc/spec"

import type { Standing } from "./Credits.ts"
import { resetWords } from "./creditsWords.ts"
import { placeWords } from "./LedgerPlace.ts"

export interface CreditsNode {
  readonly label: string
  readonly description: string
  readonly tooltip?: string | undefined
  /** An icon of the editor's own set. */
  readonly icon: string
  /** A file to open. */
  readonly file?: string | undefined
  readonly children?: ReadonlyArray<CreditsNode> | undefined
}

/** Credits that requests of a file took today in this window, by its URI. */
export type FileSpending = ReadonlyMap<string, number>

export const creditsTree = (
  standing: Standing | undefined,
  files: FileSpending,
  nameOf: (file: string) => string,
  now: number,
): ReadonlyArray<CreditsNode> => {
  if (standing === undefined) return []
  if ("why" in standing) {
    return [{ label: "Balance unknown", description: standing.why, tooltip: standing.advice, icon: "warning" }]
  }
  const { balance, place } = standing
  const left: CreditsNode = {
    label: `${Table.groupDigits(balance.remaining)} left`,
    description: [`of ${Table.groupDigits(balance.daily)}`, ...resetWords(balance.resetsAt, now)].join(" · "),
    tooltip: placeWords(place),
    icon: "pulse",
  }
  const spent: CreditsNode = {
    label: `${Table.groupDigits(balance.spent)} spent today`,
    description: balance.reserved === 0 ? "" : `${Table.groupDigits(balance.reserved)} reserved`,
    icon: "graph",
  }
  const lost: ReadonlyArray<CreditsNode> =
    balance.lost === 0
      ? []
      : [
          {
            label: "Reserved by killed programs",
            description: Table.groupDigits(balance.lost),
            tooltip:
              "Reserved by programs that were killed. Their calls may have been charged, so these credits count as spent.",
            icon: "question",
          },
        ]
  const networks = Object.entries(balance.byNetwork).map(
    ([network, methods]) => [network, methods, sumOf(Object.values(methods))] as const,
  )
  return [
    left,
    spent,
    ...group("By method", "symbol-method", leaves(Object.entries(balance.byMethod), "symbol-method")),
    ...group(
      "By network",
      "globe",
      networks
        .toSorted(([, , first], [, , second]) => second - first)
        .map(([label, methods, credits]) => ({
          label,
          description: Table.groupDigits(credits),
          icon: "globe",
          children: leaves(Object.entries(methods), "symbol-method"),
        })),
    ),
    ...group(
      "By file, in this window",
      "files",
      [...files]
        .toSorted(([, first], [, second]) => second - first)
        .map(([file, credits]) => ({
          label: nameOf(file),
          description: Table.groupDigits(credits),
          icon: "file",
          file,
        })),
    ),
    ...lost,
  ]
}

const leaves = (entries: ReadonlyArray<readonly [string, number]>, icon: string): ReadonlyArray<CreditsNode> =>
  entries
    .toSorted(([, first], [, second]) => second - first)
    .map(([label, credits]) => ({ label, description: Table.groupDigits(credits), icon }))

const group = (label: string, icon: string, children: ReadonlyArray<CreditsNode>): ReadonlyArray<CreditsNode> =>
  children.length === 0 ? [] : [{ label, description: "", icon, children }]

const sumOf = (amounts: ReadonlyArray<number>): number => amounts.reduce((sum, credits) => sum + credits, 0)
