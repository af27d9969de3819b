/** What the node's own error codes mean. */
import { type Classify, refusals } from "@dotrpc/spec"

export const classify: Classify = refusals([
  { reason: "NotFound", codes: [20, 24, 28, 29, 32] },
  // Proofs are kept of recent blocks only.
  { reason: "Unsupported", lacks: "history", codes: [42] },
  {
    reason: "InvalidParams",
    codes: [21],
    hint: 'Give the selector of a function that the contract has: {{selector("balanceOf")}}.',
  },
  { reason: "InvalidParams", codes: [27], hint: "Ask l2_getBlockTransactionCount how many there are." },
  {
    reason: "InvalidParams",
    codes: [31],
    hint: "Lower chunk_size: nodes answer at most 1,000 to 10,240 events per page.",
  },
  {
    reason: "InvalidParams",
    codes: [33],
    hint: "Start again from the first page, without continuation_token; a token fits only the filter it came from.",
  },
  { reason: "TooManyParams", codes: [34] },
])
