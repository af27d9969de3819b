// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A contract with every kind of storage layout.
contract Ledger {
    struct Checkpoint {
        uint128 volume;
        uint128 epoch;
        bytes32 digest;
        address reporter;
        uint96 amount;
    }

    struct Entry {
        uint128 received;
        uint128 sent;
        uint256 count;
    }

    address public operator;
    uint64 public epoch;
    bool public paused;
    uint256[] public totals;
    Checkpoint public last;
    string public name;
    uint32[8] public recent;
    mapping(address => Entry) public entries;

    event Recorded(uint256 indexed epoch, address indexed account, uint256 amount);

    constructor() {
        operator = msg.sender;
        name = "Sample Ledger";
    }

    /// Closes an epoch.
    function settle(uint256 amount, bytes32 digest) external {
        uint64 index = epoch;
        epoch = index + 1;
        paused = epoch % 100 == 99;
        uint128 volume = last.volume + uint128(amount);
        totals.push(volume);
        recent[index % 8] = uint32(epoch);
        last = Checkpoint(volume, epoch, digest, msg.sender, uint96(amount));
    }

    /// Notes what the caller received and sent.
    function record(uint256 received, uint256 sent) external {
        Entry storage entry = entries[msg.sender];
        entry.received += uint128(received);
        entry.sent += uint128(sent);
        entry.count++;
        emit Recorded(epoch, msg.sender, received + sent);
    }
}
