// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// As much of the registry and of a resolver of the Ethereum Name Service as a look-up of names asks for.
contract Names {
  mapping(bytes32 => address) public resolver;
  mapping(bytes32 => string) public name;
  mapping(bytes32 => address) public addr;

  function setResolver(bytes32 node, address to) external {
    resolver[node] = to;
  }

  function setName(bytes32 node, string calldata text) external {
    name[node] = text;
  }

  function setAddr(bytes32 node, address to) external {
    addr[node] = to;
  }
}
