/** Events that are decoded without an ABI, and who declares them: their signatures are suggested where no ABI says what there is. */
export const standardEvents = [
  ["Transfer(address,address,uint256)", "ERC-20 and ERC-721"],
  ["Approval(address,address,uint256)", "ERC-20 and ERC-721"],
  ["ApprovalForAll(address,address,bool)", "ERC-721 and ERC-1155"],
  ["TransferSingle(address,address,address,uint256,uint256)", "ERC-1155"],
  ["TransferBatch(address,address,address,uint256[],uint256[])", "ERC-1155"],
  ["OwnershipTransferred(address,address)", "ERC-173"],
  ["Deposit(address,uint256)", "WETH"],
  ["Withdrawal(address,uint256)", "WETH"],
  ["Upgraded(address)", "ERC-1967"],
] as const
