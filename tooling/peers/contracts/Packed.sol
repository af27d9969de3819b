// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

type Price is uint64;

/// Variables that share slots, and those of types that are written into a slot in a way of their own.
contract Packed {
    enum Phase {
        Open,
        Paused,
        Closed
    }

    struct Position {
        uint128 amount;
        int64 change;
        bool open;
        address owner;
        Price price;
    }

    bool public open; // slot 0, from the right: 1 byte,
    int24 public tick; // 3,
    address public owner; // 20,
    Phase public phase; // 1,
    bytes4 public id; // and 4
    Price public price; // slot 1
    string public symbol;
    bytes public blob;
    string public long;
    uint8[20] public small;
    bool[] public flags;
    mapping(Phase => Position) public positions;
    mapping(address => mapping(string => int8)) public votes;
    Packed public other;
    Position public position;

    constructor(address holder) {
        open = true;
        tick = -887272;
        owner = holder;
        phase = Phase.Closed;
        id = 0xa9059cbb;
        price = Price.wrap(18446744073709551615);
        symbol = unicode"naïve ☕";
        blob = hex"00ff";
        long = "a text that is longer than the 31 bytes of one slot, by far";
        small[19] = 200;
        small[3] = 7;
        for (uint256 index = 0; index < 40; index++) flags.push(index % 3 == 0);
        positions[Phase.Paused] = Position(2 ** 100, -5, true, holder, Price.wrap(9));
        votes[holder]["first"] = -128;
        other = Packed(holder);
        position = Position(1, -1, false, holder, Price.wrap(3));
    }
}
