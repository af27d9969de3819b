// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// The cheatcodes that are used.
interface Vm {
    function createSelectFork(string calldata url, uint256 blockNumber) external returns (uint256);
    function envString(string calldata name) external returns (string memory);
    function envAddress(string calldata name) external returns (address);
    function load(address account, bytes32 slot) external view returns (bytes32);
}

/// A suite over a fork, as a protocol has it against mainnet.
contract LedgerTest {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    address internal ledger;

    function setUp() public {
        vm.createSelectFork(vm.envString("ETH_RPC_URL"), 5);
        ledger = vm.envAddress("LEDGER");
    }

    function testIsAContract() public view {
        require(ledger.code.length > 0, "no code");
    }

    function testHasItsSlots() public view {
        for (uint256 slot = 0; slot < 4; slot++) vm.load(ledger, bytes32(slot));
    }

    function testBalances() public view {
        require(address(0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266).balance > 0, "poor");
    }
}
