// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A fungible token of the sample chain. Anyone may mint: it is worth nothing.
abstract contract Token {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed);
    error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed);

    function name() external pure virtual returns (string memory);
    function symbol() external pure virtual returns (string memory);
    function decimals() external pure virtual returns (uint8);

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        setAllowance(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed < value) revert ERC20InsufficientAllowance(msg.sender, allowed, value);
        // The largest allowance is never used up.
        if (allowed != type(uint256).max) setAllowance(from, msg.sender, allowed - value);
        move(from, to, value);
        return true;
    }

    function mint(address to, uint256 value) external {
        create(to, value);
    }

    /// Mints the same amount to each account.
    function distribute(address[] calldata to, uint256 value) external {
        for (uint256 i = 0; i < to.length; i++) create(to[i], value);
    }

    /// Transfers the same amount to each account.
    function payRound(address[] calldata to, uint256 value) external {
        for (uint256 i = 0; i < to.length; i++) move(msg.sender, to[i], value);
    }

    function create(address to, uint256 value) private {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function move(address from, address to, uint256 value) private {
        uint256 balance = balanceOf[from];
        if (balance < value) revert ERC20InsufficientBalance(from, balance, value);
        balanceOf[from] = balance - value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }

    function setAllowance(address owner, address spender, uint256 value) private {
        allowance[owner][spender] = value;
        emit Approval(owner, spender, value);
    }
}

contract MainToken is Token {
    function name() external pure override returns (string memory) {
        return "Sample Token";
    }

    function symbol() external pure override returns (string memory) {
        return "SMPL";
    }

    function decimals() external pure override returns (uint8) {
        return 18;
    }
}

contract SecondToken is Token {
    function name() external pure override returns (string memory) {
        return "Second Sample Token";
    }

    function symbol() external pure override returns (string memory) {
        return "SMP2";
    }

    function decimals() external pure override returns (uint8) {
        return 6;
    }
}
