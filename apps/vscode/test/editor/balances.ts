/** A call for each row of a file of addresses. */

export const holders = (count: number): string =>
  `address,label\n${Array.from({ length: count }, (_, index) => `0x${String(index + 1).padStart(40, "0")},h${index + 1}\n`).join("")}`

export const balances = (more = ""): string => `### Balances
# @network evm
# @name balances
# @each holders.csv
${more}eth_getBalance [{{row.address}}, "latest"]
`
