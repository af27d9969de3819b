/** The columns that a person chose, as a page knows them: the extension remembers them. */
import { type ColumnChoice, type ColumnsMessage } from "../results/ColumnChoice.ts"

export class ChosenColumns {
  readonly #choices = new Map<string, ColumnChoice>()
  readonly #send: (message: ColumnsMessage) => void

  constructor(send: (message: ColumnsMessage) => void) {
    this.#send = send
  }

  of(key: string): ColumnChoice | undefined {
    return this.#choices.get(key)
  }

  /** Without a choice all columns are shown as they come. */
  choose(key: string, choice: ColumnChoice = { order: [], hidden: [] }): void {
    this.#choices.set(key, choice)
    this.#send({ kind: "columns", choices: { [key]: choice } })
  }

  receive({ choices }: ColumnsMessage): void {
    for (const [key, choice] of Object.entries(choices)) this.#choices.set(key, choice)
  }
}
