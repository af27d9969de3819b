/** Token accounts as the real token programs leave them, read by the plugin and by the programs' own clients. */
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import {
  AuthorityType,
  getApproveInstruction,
  getFreezeAccountInstruction,
  getMintToInstruction,
  getSetAuthorityInstruction,
  getSyncNativeInstruction,
  getTokenDecoder,
  TOKEN_PROGRAM_ADDRESS,
} from "@solana-program/token"
import {
  getEnableCpiGuardInstruction,
  getEnableMemoTransfersInstruction,
  getInitializeImmutableOwnerInstruction,
  getTokenDecoder as getToken2022Decoder,
  TOKEN_2022_PROGRAM_ADDRESS,
} from "@solana-program/token-2022"
import { address, isSome } from "@solana/kit"
import { beforeAll, describe, expect, it } from "vitest"
import { startTokenVm, type TokenVm } from "../src/TokenVm.ts"

const delegate = address("8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq")
const nativeMint = address("So11111111111111111111111111111111111111112")
const largest = 2n ** 64n - 1n

let vm: TokenVm
beforeAll(async () => {
  vm = await startTokenVm()
})

describe.each([
  { name: "the token program", program: TOKEN_PROGRAM_ADDRESS },
  { name: "the Token-2022 program", program: TOKEN_2022_PROGRAM_ADDRESS },
])("$name", ({ program }) => {
  const of = { programAddress: program }

  it("makes an account that is read with every amount exact", async () => {
    const owner = vm.payer
    const mint = await vm.mint(program, 6)
    const token = await vm.account(program, mint)
    expect(TokenAccounts.decodeAccount(vm.bytes(token), { decimals: 6 }).parsed.info).toEqual({
      mint,
      owner: owner.address,
      tokenAmount: { amount: "0", decimals: 6, uiAmount: 0, uiAmountString: "0" },
      state: "initialized",
      isNative: false,
    })
    await vm.run(
      getMintToInstruction({ mint, token, mintAuthority: owner, amount: largest }, of),
      getApproveInstruction({ source: token, delegate, owner, amount: 2n ** 53n + 1n }, of),
      getSetAuthorityInstruction(
        { owned: token, owner, authorityType: AuthorityType.CloseAccount, newAuthority: delegate },
        of,
      ),
      getFreezeAccountInstruction({ account: token, mint, owner }, of),
    )
    const { info } = TokenAccounts.decodeAccount(vm.bytes(token), { decimals: 6 }).parsed
    expect(info).toMatchObject({
      mint,
      owner: owner.address,
      tokenAmount: { amount: String(largest), uiAmountString: "18446744073709.551615" },
      delegate,
      delegatedAmount: { amount: "9007199254740993", uiAmountString: "9007199254.740993" },
      state: "frozen",
      closeAuthority: delegate,
    })
    const theirs = getTokenDecoder().decode(vm.bytes(token))
    expect([theirs.amount, theirs.delegatedAmount]).toEqual([
      BigInt(info.tokenAmount.amount),
      BigInt(info.delegatedAmount?.amount ?? 0),
    ])
  })
})

it("the native mint's accounts hold lamports beyond their reserve", async () => {
  const token = await vm.account(TOKEN_PROGRAM_ADDRESS, nativeMint)
  vm.fund(token, 1_500_000_000n)
  await vm.run(getSyncNativeInstruction({ account: token }))
  const { info } = TokenAccounts.decodeAccount(vm.bytes(token)).parsed
  expect(info).toMatchObject({ isNative: true, tokenAmount: { uiAmountString: "1.5", decimals: 9 } })
  const theirs = getTokenDecoder().decode(vm.bytes(token))
  expect(info.rentExemptReserve?.amount).toBe(isSome(theirs.isNative) ? String(theirs.isNative.value) : "none")
})

it("the Token-2022 program's extensions are read as its client reads them", async () => {
  const owner = vm.payer
  const mint = await vm.mint(TOKEN_2022_PROGRAM_ADDRESS, 2)
  // 165 bytes, the kind, and three extensions of 4 bytes each with 0, 1 and 1 bytes of their own.
  const size = 165 + 1 + 4 + 5 + 5
  const token = await vm.account(TOKEN_2022_PROGRAM_ADDRESS, mint, size, (account) => [
    getInitializeImmutableOwnerInstruction({ account }),
  ])
  await vm.run(getEnableMemoTransfersInstruction({ token, owner }), getEnableCpiGuardInstruction({ token, owner }))
  const bytes = vm.bytes(token)
  const ours = TokenAccounts.decodeAccount(bytes, { decimals: 2 })
  expect([ours.program, ours.space, ours.parsed.info.extensions]).toEqual([
    "spl-token-2022",
    size,
    [
      { extension: "immutableOwner" },
      { extension: "memoTransfer", state: { requireIncomingTransferMemos: true } },
      { extension: "cpiGuard", state: { lockCpi: true } },
    ],
  ])
  const theirs = getToken2022Decoder().decode(bytes)
  expect(isSome(theirs.extensions) ? theirs.extensions.value : []).toEqual([
    { __kind: "ImmutableOwner" },
    { __kind: "MemoTransfer", requireIncomingTransferMemos: true },
    { __kind: "CpiGuard", lockCpi: true },
  ])
})
