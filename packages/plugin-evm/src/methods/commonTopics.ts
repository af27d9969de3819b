/** The first topics of events that standards declare. */
import type { ParamSuggestions } from "@dotrpc/spec"
import { event } from "../functions/event.ts"

/** For a filter as the first param. */
export const commonTopics: ParamSuggestions = {
  at: [0, "topics", 0],
  values: () => events.map(([signature, detail]) => ({ value: event(signature), label: signature, detail })),
}

const events = [
  ["Transfer(address,address,uint256)", "ERC-20 and ERC-721"],
  ["Approval(address,address,uint256)", "ERC-20 and ERC-721"],
  ["ApprovalForAll(address,address,bool)", "ERC-721 and ERC-1155"],
  ["TransferSingle(address,address,address,uint256,uint256)", "ERC-1155"],
  ["TransferBatch(address,address,address,uint256[],uint256[])", "ERC-1155"],
  ["OwnershipTransferred(address,address)", "ERC-173"],
  ["Upgraded(address)", "ERC-1967"],
] as const
