/**
 * The credits view as plain data: what is left, then what the rest went to, by method, network and file. All amounts are credits.
 * A row begins with its amount: a narrow view cuts the end of a row off.
 */
import { Price, PriceSheet, Table } from "@dotrpc/spec"

import type { Standing } from "./Credits.ts"
import { accountTitle, accountWords, resetWords } from "./creditsWords.ts"
import type { AccountBalance, ProjectBalance } from "./Ledgers.ts"
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
  const { accounts, balance, place } = standing
  if (accounts !== undefined)
    return [...accounts.map((account) => accountNode(account, placeWords(place), now)), ...byFile(files, nameOf)]
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
        .map(([network, methods, credits]) => ({
          ...amountOf(credits, network),
          icon: "globe",
          children: leaves(Object.entries(methods), "symbol-method"),
        })),
    ),
    ...byFile(files, nameOf),
    ...lostNodes(balance),
  ]
}

/** What nobody knows the use of. */
const lostNodes = ({ lost }: ProjectBalance["balance"]): ReadonlyArray<CreditsNode> =>
  lost === 0
    ? []
    : [
        {
          ...amountOf(lost, "reserved by killed programs"),
          tooltip:
            "Reserved by programs that were killed. Their calls may have been charged, so these credits count as spent.",
          icon: "question",
        },
      ]

/** One account at a provider: what is left of it, what was spent, and on what. */
const accountNode = ({ balance, prices }: AccountBalance, tooltip: string, now: number): CreditsNode => {
  const when = prices === undefined ? "today" : PriceSheet.windowWords(prices.window)
  const limit = balance.daily === Number.POSITIVE_INFINITY ? [] : [`of ${Table.groupDigits(balance.daily)}`]
  const spent: CreditsNode = {
    label: `${Price.showCredits(balance.spent, prices?.unit)} spent ${when}`,
    description: balance.reserved === 0 ? "" : `${Table.groupDigits(balance.reserved)} reserved`,
    icon: "graph",
  }
  return {
    label: `${accountTitle(prices)}: ${accountWords({ balance, prices })}`,
    description: [...limit, ...resetWords(balance.resetsAt, now)].join(" · "),
    tooltip,
    icon: "pulse",
    children: [spent, ...leaves(Object.entries(balance.byMethod), "symbol-method"), ...lostNodes(balance)],
  }
}

const byFile = (files: FileSpending, nameOf: (file: string) => string): ReadonlyArray<CreditsNode> =>
  group(
    "By file, in this workspace",
    "files",
    [...files]
      .toSorted(([, first], [, second]) => second - first)
      .map(([file, credits]) => ({
        ...amountOf(credits, nameOf(file)),
        icon: "file",
        file,
      })),
  )

const leaves = (entries: ReadonlyArray<readonly [string, number]>, icon: string): ReadonlyArray<CreditsNode> =>
  entries
    .toSorted(([, first], [, second]) => second - first)
    .map(([name, credits]) => ({ ...amountOf(credits, name), icon }))

const amountOf = (credits: number, of: string): Pick<CreditsNode, "label" | "description"> => ({
  label: Table.groupDigits(credits),
  description: of,
})

const group = (label: string, icon: string, children: ReadonlyArray<CreditsNode>): ReadonlyArray<CreditsNode> =>
  children.length === 0 ? [] : [{ label, description: "", icon, children }]

const sumOf = (amounts: ReadonlyArray<number>): number => amounts.reduce((sum, credits) => sum + credits, 0)
