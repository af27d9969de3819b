// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A contract with every shape that the peer tests read: a variable, mappings by address and by text, a nested mapping,
/// and events with indexed, plain and no topics.
contract Ledger {
    uint256 public total; // slot 0
    mapping(address => uint256) public balances; // slot 1
    mapping(address => mapping(address => uint256)) public allowances; // slot 2
    mapping(string => uint256) public marks; // slot 3

    event Deposited(address indexed account, uint256 amount);
    event Approved(address indexed owner, address indexed spender, uint256 amount);
    event Marked(string name, uint256 value);
    event Whispered(uint256 value) anonymous;
    event Ticked(uint256 indexed number);

    function deposit(uint256 amount) external {
        total += amount;
        balances[msg.sender] += amount;
        emit Deposited(msg.sender, amount);
    }

    function approve(address spender, uint256 amount) external {
        allowances[msg.sender][spender] = amount;
        emit Approved(msg.sender, spender, amount);
    }

    function mark(string calldata name, uint256 value) external {
        marks[name] = value;
        emit Marked(name, value);
        emit Whispered(value);
    }

    function tick(uint256 count) external {
        for (uint256 number = 0; number < count; number++) {
            emit Ticked(number);
        }
    }

    function refuse() external pure {
        revert("the ledger refuses");
    }
}
