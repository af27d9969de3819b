/** The names of accounts, as a page knows them: the extension looks them up when somebody asks for it. */
import type { NamesMessage } from "../names/KeptNames.ts"
import type { PayloadTable, ResultPayload } from "../results/ResultPayload.ts"

export class KnownNames {
  readonly #byKey = new Map<string, NamesMessage["names"]>()

  receive({ key, names }: NamesMessage): void {
    this.#byKey.set(key, names)
  }

  /** The table with names before addresses, which stay whole; the project's own labels take precedence. */
  in(table: PayloadTable, { names }: Pick<ResultPayload, "names">): PayloadTable {
    const known = names === undefined ? undefined : this.#byKey.get(names.key)
    if (known === undefined || Object.keys(known).length === 0) return table
    const labels: Record<string, string> = {}
    for (const row of table.rows)
      for (const cell of row) {
        const account = cell.toLowerCase()
        if (Object.hasOwn(known, account)) labels[cell] = `${known[account]} (${cell})`
      }
    return { ...table, labels: { ...labels, ...table.labels } }
  }
}
