/** Felts in the examples: those of the gateway's sample data, so that every example can be run. */

/** A token. */
export const exampleContract = "0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d"
/** The selector of `ERC20_total_supply`: where that token keeps its supply. */
export const exampleSlot = "0x110e2f729c9c2b988559994a3daccd838cf52faf88e18101373e67dd061455a"
/** An account. */
export const exampleAccount = "0xa0759b62444b99e0b5cec651db5b1be708e30f0cf47c2171048973df859283"
/** A transaction of block 2. */
export const exampleTransaction = "0xc4768399290800e729ae6d65d9254ac289f5cdc82d1adaee4d699b224f4bd7"
