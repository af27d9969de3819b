/** Keys in the examples: those of the gateway's sample data, so that every example can be run. */

/** A delegate, which is a wallet. */
export const wallet = "8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq"
/** A mint with 6 decimals. */
export const mint = "4uZXM4HhPGUe2M8j7w8f67DSBSutrPgUT8PhNTRxiSuF"
export const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
/** A slot that has a block. */
export const exampleSlot = 312_400_000
