/** A file of many requests as people write them: variables, templates, references between requests, checks. */

/** At least `lines` lines; each request refers to the one before it. */
export const largeFile = (lines: number): string => {
  const parts = [prelude]
  for (let count = prelude.split("\n").length - 1, number = 1; count < lines; number++) {
    const section = number % 2 === 1 ? logs(number) : receipt(number)
    parts.push(section)
    count += section.split("\n").length - 1
  }
  return parts.join("")
}

const prelude = `# Requests to measure with.
# @network evm
@token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
@first = 100

`

const logs = (number: number): string => `### Transfers ${number}
# @name transfers${number}
# @budget 600
@from${number} = first + ${number}
eth_getLogs [{
  "address": {{token}},          // a reference is a JSON value
  "fromBlock": {{hex(from${number})}},
  "toBlock": "latest",
  "topics": ["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"],
}]
?? result.length > 0
?? credits <= 600

`

const receipt = (number: number): string => `### Receipt ${number}
# @name receipt${number}
eth_getTransactionReceipt [{{transfers${number - 1}.result[0].transactionHash}}]
?? result.status == 0x1

`
