import type { Abi, Json } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { Evm } from "../src/index.ts"
import { holder, token, word } from "./samples/values.ts"

const mapping = (key: string, value: string) => ({
  [`t_mapping(${key},${value})`]: {
    encoding: "mapping",
    key,
    label: `mapping(${key.slice(2)} => ${value.slice(2)})`,
    numberOfBytes: "32",
    value,
  },
})
const inplace = (name: string, bytes: number) => ({
  [`t_${name}`]: { encoding: "inplace", label: name, numberOfBytes: String(bytes) },
})
const variable = (contract: string, label: string, slot: string, type: string, offset = 0) => ({
  astId: 1,
  contract: `src/${contract}.sol:${contract}`,
  label,
  offset,
  slot,
  type,
})

const types = {
  ...inplace("address", 20),
  ...inplace("uint256", 32),
  ...inplace("uint64", 8),
  ...inplace("bool", 1),
  ...mapping("t_address", "t_uint256"),
  "t_struct(Order)1_storage": {
    encoding: "inplace",
    label: "struct Token.Order",
    members: [variable("Token", "price", "0", "t_uint256"), variable("Token", "maker", "1", "t_address")],
    numberOfBytes: "64",
  },
  "t_array(t_uint64)3_storage": { base: "t_uint64", encoding: "inplace", label: "uint64[3]", numberOfBytes: "32" },
  t_string_storage: { encoding: "bytes", label: "string", numberOfBytes: "32" },
}
const artifact = (storage: ReadonlyArray<Json.Json>): Json.JsonObject => ({
  abi: [],
  storageLayout: { storage, types },
})
const tokenArtifact = artifact([
  variable("Token", "balances", "0", "t_mapping(t_address,t_uint256)"),
  variable("Token", "owner", "1", "t_address"),
  variable("Token", "paused", "1", "t_bool", 20),
  variable("Token", "order", "2", "t_struct(Order)1_storage"),
  variable("Token", "limits", "4", "t_array(t_uint64)3_storage"),
  variable("Token", "name", "5", "t_string_storage"),
])

const read = (...artifacts: ReadonlyArray<Json.Json>): Abi =>
  artifacts.flatMap((document) => {
    const reading = Evm.plugin.abi?.document(document) ?? { problem: "there is no reader" }
    if ("problem" in reading) throw new Error(reading.problem)
    return reading.abi
  })

const abi = read(tokenArtifact)
const entry = Evm.plugin.functions.find(({ name }) => name === "storage")

const call = (args: ReadonlyArray<Json.Json>, known: Abi) =>
  entry?.call(args, { abi: known }) ?? { problem: "there is no such function" }

const check = (title: string, args: ReadonlyArray<Json.Json>, expected: string, known = abi) =>
  it(title, () => {
    const result = call(args, known)
    expect("value" in result ? String(result.value) : `! ${result.argument ?? "-"} ${result.problem}`).toBe(expected)
  })

describe("storage finds a variable by its name", () => {
  check("at its slot", ["owner"], "0x1")
  check("with the key of a mapping", ["balances", holder], Evm.slot(0, holder))
  check("with a member of a struct", ["order", "maker"], "0x3")
  check("with an index", ["limits", 2], "0x4")
  check("with its contract", ["Token.owner"], "0x1")
  const other = read(tokenArtifact, artifact([variable("Vault", "owner", "7", "t_address")]))
  check("of the contract that is named", ["Vault.owner"], "0x7", other)
  check("once, when several artifacts describe one contract", ["owner"], "0x1", read(tokenArtifact, tokenArtifact))
  check(
    "not where several contracts have one",
    ["owner"],
    '! 0 several contracts have a variable owner: write "Token.owner" or "Vault.owner"',
    other,
  )
})

describe("storage says what is wrong, and with which argument", () => {
  check("of a name", ["balance", holder], '! 0 no variable balance is in the storage layout; did you mean "balances"?')
  check(
    "of a key",
    ["balances", 5],
    "! 1 the key of balances expects an address of 20 bytes (0x and 40 hex digits), found 5",
  )
  check(
    "of a key that is missing",
    ["balances"],
    "! - balances has the type mapping(address => uint256): a key is missing",
  )
  check("of a key too many", ["owner", holder], "! 1 owner has the type address: nothing is inside it")
  check(
    "of a member",
    ["order", "makr"],
    '! 1 order has the type struct Order and no member "makr"; did you mean "maker"?',
  )
  check("of an index", ["limits", 3], "! 1 limits has 3 items, so none at 3")
  check("of no name", [1], '! - storage takes the name of a variable first, such as storage("balances", holder)')
  check(
    "without a layout",
    ["owner"],
    '! 0 no storage layout is known: name an artifact that has a "storageLayout" with # @abi; forge writes it with --extra-output storageLayout',
    [],
  )
})

it("storage is completed by the variables, and its signature by what a variable takes", () => {
  expect(entry?.suggest?.(0, { abi })[0]).toEqual({ text: "balances", detail: "mapping(address => uint256)" })
  expect(entry?.signatureOf?.("balances", { abi })).toBe("storage(variable, key: address)")
  expect(entry?.signatureOf?.("order", { abi })).toBe("storage(variable, member)")
})

describe("a storage value is shown", () => {
  const shown = (
    title: string,
    path: ReadonlyArray<Json.Json>,
    value: Evm.Hex,
    headline: string,
    rows: ReadonlyArray<ReadonlyArray<string>>,
  ) =>
    it(title, () => {
      const result = call(path, abi)
      if ("problem" in result || result.meaning === undefined) throw new Error("the variable is not found")
      const sent = { params: [token, result.value, "latest"], meanings: [{ path: [1], meaning: result.meaning }] }
      const table = Evm.GetStorageAt.render(value, 10, { sent })
      expect([table.headline, ...table.rows]).toEqual([headline, ...rows, ["", "bytes32", value]])
    })
  shown("by its type", ["balances", holder], word("f4240"), "balances[0xf39fd6…b92266] · 1,000,000 · uint256", [
    ["balances[0xf39fd6…b92266]", "uint256", "1,000,000"],
  ])
  shown("of a variable that shares its slot", ["paused"], word(`1${holder.slice(2)}`), "paused · true · bool", [
    ["paused", "bool", "true"],
  ])
  shown(
    "of the items that share its slot",
    ["limits"],
    word(`3${"2".padStart(16, "0")}${"1".padStart(16, "0")}`),
    "limits · [0]: 1 · [1]: 2 · [2]: 3",
    [
      ["limits[0]", "uint64", "1"],
      ["limits[1]", "uint64", "2"],
      ["limits[2]", "uint64", "3"],
    ],
  )
  shown(
    "with where the rest of a long text is",
    ["name"],
    word("67"),
    "name · name has 51 bytes in 2 other slots: read them with index 0 to 1 · string",
    [["name", "string", "{length: 51, slots: 2}"]],
  )
})

describe("a layout that is not sound is refused", () => {
  const refused = (title: string, storageLayout: Json.Json, problem: string) =>
    it(title, () => expect(Evm.plugin.abi?.document({ abi: [], storageLayout })).toEqual({ problem }))
  refused("without variables", { types: {} }, '"storageLayout" has no "storage": expected an array of variables')
  refused(
    "with a slot that is not a number",
    { storage: [variable("A", "a", "0x1", "t_bool")], types: {} },
    '"storageLayout.storage" has a variable without "label", "slot", "offset" or "type"',
  )
  refused(
    "with a type of another form",
    { storage: [], types: { t_bool: { encoding: "other", label: "bool", numberOfBytes: "1" } } },
    '"storageLayout.types" has "t_bool" in a form that is not known',
  )
  refused(
    "with more parts than a contract has",
    { storage: Array.from({ length: 3_001 }, () => null), types: {} },
    '"storageLayout" has more than 3,000 parts, the most that are read',
  )
  it("which does not say a type that it uses, where it is used", () => {
    const known = read(artifact([variable("A", "a", "0", "t_missing")]))
    expect(call(["a"], known)).toEqual({ problem: "the storage layout does not have its type t_missing", argument: 0 })
  })
})
