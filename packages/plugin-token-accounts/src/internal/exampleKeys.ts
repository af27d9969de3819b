/** Keys in the examples: those of the gateway's sample data, so that every example can be run. */

/** A delegate, which is a wallet. */
export const wallet = "8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq"
/** A mint with 6 decimals. */
export const mint = "4uZXM4HhPGUe2M8j7w8f67DSBSutrPgUT8PhNTRxiSuF"
export const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
/** A slot that has a block. */
export const exampleSlot = 312_399_998
/** A transaction by that wallet. */
export const exampleSignature =
  "2SJ9Yw7MCb89CuFWg3hm247ZouYVHCvjDQWtJZrhMznAmvdTyWfPK4GMWKvSB5EaDtH88JvaHDAGPfzmtYwFYf3"
