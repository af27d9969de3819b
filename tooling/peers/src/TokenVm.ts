/** The real token programs in a Solana VM inside this process: every account is what they made of the instructions. */
import { getInitializeAccount3Instruction, getInitializeMint2Instruction } from "@solana-program/token"
import {
  type Address,
  appendTransactionMessageInstructions,
  createTransactionMessage,
  generateKeyPairSigner,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  signTransactionMessageWithSigners,
} from "@solana/kit"
import { FailedTransactionMetadata, LiteSVM } from "litesvm"

export interface TokenVm {
  /** Pays for everything, and is the owner, the mint authority and the freeze authority of all. */
  readonly payer: KeyPairSigner
  /** Runs instructions in one transaction. Throws with the program's own log when they fail. */
  readonly run: (...instructions: ReadonlyArray<Instruction>) => Promise<void>
  readonly mint: (program: Address, decimals: number) => Promise<Address>
  /** An account of `size` bytes after `before` has run on it, initialized for the payer. */
  readonly account: (
    program: Address,
    mint: Address,
    size?: number,
    before?: (account: Address) => ReadonlyArray<Instruction>,
  ) => Promise<Address>
  readonly bytes: (account: Address) => Uint8Array
  /** Lamports beyond what the account must hold to be kept. */
  readonly fund: (account: Address, amount: bigint) => void
}

export const startTokenVm = async (): Promise<TokenVm> => {
  const svm = new LiteSVM()
  const payer = await generateKeyPairSigner()
  svm.airdrop(payer.address, lamports(10_000_000_000n))

  const found = (address: Address) => {
    const account = svm.getAccount(address)
    if (!account.exists) throw new Error(`There is no account ${address}.`)
    return account
  }
  const allocate = async (program: Address, size: number): Promise<Address> => {
    const { address } = await generateKeyPairSigner()
    const kept = lamports(svm.minimumBalanceForRentExemption(BigInt(size)))
    const data = new Uint8Array(size)
    svm.setAccount({ address, data, executable: false, lamports: kept, programAddress: program, space: BigInt(size) })
    return address
  }
  const run = async (...instructions: ReadonlyArray<Instruction>): Promise<void> => {
    svm.expireBlockhash()
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayerSigner(payer, empty),
      (paid) => svm.setTransactionMessageLifetimeUsingLatestBlockhash(paid),
      (timed) => appendTransactionMessageInstructions(instructions, timed),
    )
    const result = svm.sendTransaction(await signTransactionMessageWithSigners(message))
    if (result instanceof FailedTransactionMetadata)
      throw new Error(`The transaction failed:\n${result.meta().logs().join("\n")}`)
  }
  return {
    payer,
    run,
    bytes: (account) => Uint8Array.from(found(account).data),
    fund: (address, amount) => {
      const account = found(address)
      svm.setAccount({ ...account, lamports: lamports(account.lamports + amount) })
    },
    mint: async (program, decimals) => {
      const mint = await allocate(program, 82)
      const authorities = { mintAuthority: payer.address, freezeAuthority: payer.address }
      await run(getInitializeMint2Instruction({ mint, decimals, ...authorities }, { programAddress: program }))
      return mint
    },
    account: async (program, mint, size = 165, before = () => []) => {
      const account = await allocate(program, size)
      const owner = payer.address
      const initialize = getInitializeAccount3Instruction({ account, mint, owner }, { programAddress: program })
      await run(...before(account), initialize)
      return account
    },
  }
}
