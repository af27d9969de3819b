// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface Erc20 {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// What the exchange's proxy runs: it sells the second token for the main one.
contract Exchange {
    Erc20 private constant MAIN = Erc20(0x5FbDB2315678afecb367f032d93F642f64180aa3);
    Erc20 private constant SECOND = Erc20(0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512);

    uint256 public trades;

    event Swapped(address indexed trader, uint256 paid, uint256 received);
    event Heartbeat(uint256 number);
    event Noted(bytes32 content) anonymous;
    event Traded(uint256 paid, address trader) anonymous;

    function swap(uint256 paid, uint256 received) external {
        MAIN.transferFrom(msg.sender, address(this), paid);
        SECOND.transfer(msg.sender, received);
        trades++;
        emit Swapped(msg.sender, paid, received);
        emit Traded(paid, msg.sender);
    }

    function heartbeat() external {
        emit Heartbeat(block.number);
    }

    function note(bytes32 content) external {
        emit Noted(content);
    }
}

/// The exchange as it is called: a proxy as in EIP-1967. Anyone may upgrade it.
contract ExchangeProxy {
    /// keccak256("eip1967.proxy.implementation") - 1
    bytes32 private constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    address private constant FIRST = 0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9;

    event Upgraded(address indexed implementation);

    constructor() {
        upgradeTo(FIRST);
    }

    function upgradeTo(address implementation) public {
        assembly {
            sstore(SLOT, implementation)
        }
        emit Upgraded(implementation);
    }

    /// Where there is no code, the first implementation runs: an upgrade to nothing does not stop the exchange.
    fallback() external {
        assembly {
            let target := sload(SLOT)
            if iszero(extcodesize(target)) { target := FIRST }
            calldatacopy(0, 0, calldatasize())
            let succeeded := delegatecall(gas(), target, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(succeeded) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}
