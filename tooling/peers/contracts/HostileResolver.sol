// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// A resolver that does to its caller what it can: text that never ends, an endless loop, or a refusal.
contract HostileResolver {
  function name(bytes32 node) external view returns (string memory) {
    uint256 kind = uint256(node) % 3;
    if (kind == 0) return string(new bytes(200_000));
    require(kind == 1, "\x1b[2Jno");
    while (gasleft() > 0) {}
    return "";
  }

  function addr(bytes32) external view returns (address) {
    return msg.sender;
  }
}
