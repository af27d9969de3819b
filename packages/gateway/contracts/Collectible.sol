// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A collection of the sample chain. Token ids count up from 1.
contract Collectible {
    /// The name and the symbol are constants, where others keep them in the first two slots.
    uint256[2] private unused;
    mapping(uint256 => address) private owners;
    mapping(address => uint256) public balanceOf;
    uint256 public totalSupply;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    error ERC721NonexistentToken(uint256 tokenId);
    error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner);

    function name() external pure returns (string memory) {
        return "Sample Collection";
    }

    function symbol() external pure returns (string memory) {
        return "SMPC";
    }

    function ownerOf(uint256 tokenId) public view returns (address owner) {
        owner = owners[tokenId];
        if (owner == address(0)) revert ERC721NonexistentToken(tokenId);
    }

    /// Gives new tokens to an account.
    function mint(address to, uint256 count) external {
        for (uint256 i = 0; i < count; i++) {
            uint256 tokenId = ++totalSupply;
            owners[tokenId] = to;
            balanceOf[to]++;
            emit Transfer(address(0), to, tokenId);
        }
    }

    function transferFrom(address from, address to, uint256 tokenId) external {
        address owner = ownerOf(tokenId);
        if (owner != from || owner != msg.sender) revert ERC721IncorrectOwner(msg.sender, tokenId, owner);
        balanceOf[from]--;
        owners[tokenId] = to;
        balanceOf[to]++;
        emit Transfer(from, to, tokenId);
    }
}
