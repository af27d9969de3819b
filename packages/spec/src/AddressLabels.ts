/**
 * The names that a project gives to addresses. Rows show them beside what they name.
 *
 * Invariant: a label never stands for a value that was shortened, since two addresses may look the same then; all of it is seen;
 * and it cannot be mistaken for an address.
 */
import * as Visible from "./Visible.ts"

/** Labels by address. A network has them by {@link addressKey}. */
export type AddressLabels = Readonly<Record<string, string>>

/** A network, as far as its labels are concerned. */
export interface LabelledNetwork {
  readonly labels?: AddressLabels | undefined
}

/** A table, as far as labels stand in it. */
export interface LabelledRows {
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  readonly headline?: string | undefined
}

/** The most characters of a label that are shown. */
export const longestLabel = 40

/** One spelling for each address: the case of hex digits and leading zeros carry no meaning. */
export const addressKey = (address: string): string =>
  isHex.test(address)
    ? `0x${address
        .slice(2)
        .toLowerCase()
        .replace(/^0+(?=.)/, "")}`
    : address

/** The label of an address, written whole in any spelling. */
export const labelOf = (network: LabelledNetwork | undefined, address: string): string | undefined => {
  const labels = network?.labels
  if (labels === undefined || !isAddress.test(address)) return undefined
  const key = addressKey(address)
  return Object.hasOwn(labels, key) ? labels[key] : undefined
}

/**
 * A text with labels before the addresses in it: `Treasury (0x5fbdb2315678afecb367f032d93f642f64180aa3)`.
 *
 * @param show how such an address is written; whole if omitted
 */
export const withLabels = (
  network: LabelledNetwork | undefined,
  text: string,
  show = (address: string): string => address,
): string =>
  network?.labels === undefined
    ? text
    : text.replace(addresses, (address) => {
        const label = labelOf(network, address)
        return label === undefined ? address : `${label} (${show(address)})`
      })

/** The table with labels before addresses that are written whole in it. */
export const labelledTable = <Table extends LabelledRows>(
  table: Table,
  network: LabelledNetwork | undefined,
): Table => {
  if (network?.labels === undefined) return table
  const { headline, rows } = table
  const cells = (row: ReadonlyArray<string>) => row.map((cell) => withLabels(network, cell))
  return {
    ...table,
    rows: rows.map(cells),
    ...(headline === undefined ? {} : { headline: withLabels(network, headline) }),
  }
}

/** Why a text cannot be a label; `undefined` when it can. */
export const labelProblem = (label: string): string | undefined => {
  if (Visible.oneLine(label) === "") return "expected a name, found an empty string"
  const plain = skeletonOf(label)
  return /^\W*0x[\da-f]/i.test(plain) || looksShortened.test(plain) || plain.search(addresses) >= 0
    ? "expected a name, found what looks like an address"
    : undefined
}

/** As it looks: letters of other alphabets that look like the `0x` of an address are written as it is, and an ellipsis as full stops. */
const skeletonOf = (label: string): string =>
  label
    .normalize("NFKC")
    .replace(/[хХχΧ×]/g, "x")
    .replace(/[оОοΟ]/g, "0")
    .replace(/[·•‥]/g, ".")

/** The beginning of an address, or digits on both sides of an omission. */
const looksShortened = /(?<![\p{L}\p{N}])[0o]x[\da-f]{4}|\.{3}|[\da-f]{3}\.{2,}[\da-f]{3}/iu

/** Labels as a network has them: by one spelling of each address, without characters that are not seen, and cut. */
export const readLabels = (labels: AddressLabels): AddressLabels =>
  Object.fromEntries(
    Object.entries(labels).flatMap(([address, label]) =>
      labelProblem(label) === undefined ? [[addressKey(address), cut(Visible.oneLine(label))]] : [],
    ),
  )

const cut = (label: string): string => {
  const characters = [...label]
  return characters.length <= longestLabel ? label : `${characters.slice(0, longestLabel - 1).join("")}…`
}

const isHex = /^0x[\da-f]{1,64}$/i

/** In hex or base58. Shorter numbers may be anything: a block, an amount, an index. */
const isAddress = /^(?:0x[\dA-Fa-f]{40,64}|[1-9A-HJ-NP-Za-km-z]{32,44})$/
const addresses = /(?<![0-9A-Za-z…])(?:0x[\dA-Fa-f]{40,64}|[1-9A-HJ-NP-Za-km-z]{32,44})(?![0-9A-Za-z…])/g
