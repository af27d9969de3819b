// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Storage of every shape that a position can lead into, and events of every shape that a log can have. The constructor
/// writes all of it.
contract Layout {
    struct Order {
        uint256 price; // + 0
        address maker; // + 1, beside filled
        bool filled;
        mapping(address => uint256) votes; // + 2
        uint64[] fills; // + 3, four to a slot
    }

    struct Point {
        uint256 x;
        uint256 y;
    }

    event Pinged();
    event Plain(address indexed who, int256 change, bytes4 selector, bool ok);
    event Hashed(string indexed name, Point indexed place, uint8[] indexed list, string text);
    event Nested(Point[] points, string[2] names, bytes blob);
    event Plain(address indexed who, uint256 indexed token);
    event Secret(uint256 indexed id, string text) anonymous;

    uint256 public plain; // 0
    mapping(address => mapping(uint256 => int256)) public nested; // 1
    mapping(bytes32 => Order) private orders; // 2
    uint256[] public list; // 3
    Point[] public points; // 4
    uint256[3] public fixedList; // 5, 6, 7
    mapping(address => Point[]) public lists; // 8
    uint128[] public halves; // 9
    string public text; // 10
    mapping(bool => mapping(string => address)) public byText; // 11
    uint256[][] public table; // 12
    Point[2] public pair; // 13 to 16
    mapping(bytes => mapping(bytes4 => uint256)) private byBytes; // 17
    mapping(int8 => uint256) private byInt; // 18

    constructor(address holder) {
        plain = 11;
        nested[holder][5] = -7;
        Order storage order = orders[bytes32(uint256(77))];
        order.price = 2 ** 200 + 1;
        order.maker = holder;
        order.filled = true;
        order.votes[holder] = 33;
        order.fills = [1, 2, 3, 4, 5];
        list.push(100);
        list.push(101);
        points.push(Point(1, 2));
        points.push(Point(3, 4));
        fixedList[2] = 9;
        lists[holder].push(Point(5, 6));
        lists[holder].push(Point(7, 8));
        halves.push(21);
        halves.push(22);
        halves.push(23);
        text = "a text that is longer than the 31 bytes of one slot";
        byText[true]["key"] = holder;
        table.push();
        table.push();
        table[1].push(1);
        table[1].push(64);
        pair[1].y = 99;
        byText[false]["0x12"] = holder;
        byBytes[hex"1234"][0xa9059cbb] = 171;
        byBytes[hex"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff0011"][0x00000001] = 172;
        byBytes[""][0xffffffff] = 173;
        byInt[-3] = 18;

        emit Pinged();
        emit Plain(holder, -2 ** 255, 0x01020304, true);
        uint8[] memory small = new uint8[](2);
        small[1] = 255;
        emit Hashed("name", Point(1, 2), small, unicode"naïve ☕");
        Point[] memory two = new Point[](2);
        two[1] = Point(type(uint256).max, 1);
        emit Nested(two, ["first", ""], hex"00ff");
        emit Plain(holder, type(uint256).max);
        emit Secret(5, "hidden");
        assembly {
            sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, holder)
        }
    }
}
