/** Requests whose results have labels of addresses, and fees over blocks. */
export const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
const transfers = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

export const labelled = {
  "a.rpc": `### Logs\n# @network evm\neth_getLogs [{ "address": "${token}", "fromBlock": "0x1", "toBlock": "0x40", "topics": ["${transfers}"] }]\n`,
  "fees.rpc": '### Fees\n# @network evm\neth_feeHistory ["0x14", "latest", [10, 50, 90]]\n',
  "rpc.config.json": JSON.stringify({
    networks: {
      evm: {
        plugin: "evm",
        url: "embedded:evm",
        explorer: "https://explorer.example",
        labels: { "0x5FbDB2315678afecb367f032d93F642f64180aa3": "Test <b>token</b> \u202e!" },
      },
    },
  }),
}
