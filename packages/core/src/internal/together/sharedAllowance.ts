/**
 * The allowance of one call for several callers: each pays a share from its own allowances.
 *
 * Invariant: the shares of a price add up to it, and no allowance pays more than it had reserved, unless the call is charged more
 * than its price. A caller that leaves after the call was sent has paid its share.
 */
import { Price } from "@dotrpc/spec"
import { Allowance } from "../../Allowance.ts"

/** A caller that pays a share. */
export interface Payer {
  readonly allowances: ReadonlyArray<Allowance>
}

export class SharedAllowance<P extends Payer> extends Allowance {
  readonly #present: () => ReadonlyArray<P>
  /** The credits that each caller has reserved now. */
  #reservedBy = new Map<P, number>()
  /** Paid by callers that left while the call was in flight. */
  #settled = 0
  #counted: ReadonlyArray<P> = []
  readonly #paid = new Map<P, number>()
  #wasSent = false

  /** The callers that are `present` when a price is reserved share it. */
  constructor(present: () => ReadonlyArray<P>) {
    // If a caller cannot pay its share, the call is refused, and each caller then goes alone.
    const isLimited = present().some(({ allowances }) => allowances.some(({ limit }) => limit !== undefined))
    super({ name: "calls that go together", limit: isLimited ? 0 : undefined })
    this.#present = present
  }

  /** Whether a price is reserved now. */
  get isReserved(): boolean {
    return this.#reservedBy.size > 0
  }

  /** Whether the first byte of the reserved call was sent. */
  get wasSent(): boolean {
    return this.#wasSent
  }

  sent(): void {
    this.#wasSent = true
  }

  /** The credits that a caller has paid so far; `undefined` if it paid none. */
  paidBy(payer: P): number | undefined {
    return this.#paid.get(payer)
  }

  override covers(credits: number): boolean {
    return this.shortOf(credits).length === 0
  }

  /** The callers that cannot pay their share of a price now. */
  shortOf(credits: number): ReadonlyArray<P> {
    const due = new Map<Allowance, number>()
    for (const [{ allowances }, share] of sharesOf(credits, this.#present()))
      for (const allowance of allowances) due.set(allowance, (due.get(allowance) ?? 0) + share)
    return this.#present().filter(({ allowances }) =>
      allowances.some((allowance) => !allowance.covers(due.get(allowance) ?? 0)),
    )
  }

  override reserve(credits: number): void {
    this.#reservedBy = sharesOf(credits, this.#present())
    this.#settled = 0
    this.#wasSent = false
    for (const [{ allowances }, share] of this.#reservedBy) for (const allowance of allowances) allowance.reserve(share)
  }

  override settle(credits: number, charged: number): void {
    const due = Price.isCredits(charged) ? charged : credits
    const reservedBy = this.#reservedBy
    this.#reservedBy = new Map()
    this.#counted = [...reservedBy.keys()]
    const shares = sharesOf(Math.max(0, due - this.#settled), this.#counted)
    for (const [payer, reserved] of reservedBy) this.#settleOf(payer, reserved, shares.get(payer) ?? reserved)
  }

  override countCall(): void {
    for (const { allowances } of this.#counted) for (const allowance of allowances) allowance.countCall()
  }

  /** A caller leaves while the call is in flight, which may be charged: its share counts as spent. */
  leave(payer: P): void {
    const share = this.#reservedBy.get(payer)
    if (share === undefined) return
    this.#reservedBy.delete(payer)
    this.#settled += share
    this.#settleOf(payer, share, share)
    for (const allowance of payer.allowances) allowance.countCall()
  }

  #settleOf(payer: P, reserved: number, charged: number): void {
    this.#paid.set(payer, (this.#paid.get(payer) ?? 0) + charged)
    for (const allowance of payer.allowances) allowance.settle(reserved, charged)
  }
}

/** Equal shares, in whole credits if the sum is whole: the first callers pay the remainder. */
export const sharesOf = <P>(credits: number, payers: ReadonlyArray<P>): Map<P, number> => {
  const shares = new Map<P, number>()
  let rest = credits
  payers.forEach((payer, index) => {
    const left = payers.length - index
    const share = left === 1 ? rest : Number.isInteger(credits) ? Math.ceil(rest / left) : rest / left
    shares.set(payer, share)
    rest -= share
  })
  return shares
}
