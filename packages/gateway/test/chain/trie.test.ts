import { expect, test } from "vitest"
import { EMPTY_TRIE_ROOT, orderedTrieRoot } from "../../src/chain/internal/trie.ts"

// The roots were computed with @ethereumjs/trie 6.2.1. Value i is 1 + 7 i mod 90 bytes of i + 1 mod 256.
test.each([
  [1, "0xac92bc8d02906a87a573c32c72bb427036f0e43d7a7375c5c491ebba064add15"],
  [2, "0xce0a9993d01104b32fd22854d9af456b83c8d6960ca1eaaab661b4dc7bf6e690"],
  [3, "0x2a259b7c1bf7fe5d7985e2a86a45320f345ac563bcf9722c439687dce484596b"],
  [16, "0x06c7bd761789f186eaa9461138c52e30bf86f7ce6e405f5c1f4a873481a762c1"],
  [17, "0xac10a60d9dc2387ff1168b7c1fcfb7816a807a627df3509bcf09680b852cfee3"],
  [127, "0xea41f3459c300066fcdd596b9d8e9716b647701f78d2e080019350914cda2d8d"],
  [128, "0xa8bc2d205d473a0ac77509e8de72bc27413fce84577eec061d93431fc3df065e"],
  [129, "0xf064b0fedc058f4d0d083195296683e4013281611694f0ddace369cfb790ec14"],
  [200, "0x3486bdceda87f492553486b31629734e61f0190462f0401fea444914f50dc3cc"],
  [256, "0xcab893b15a412c085d594123044d6e5c0b42be6285b50066c5aba777580ca2b4"],
  [257, "0xb399ab089df4d93c8e50aad94126d21ce5662965feba6ef7fe2967585ad045f5"],
  [300, "0x0eee3d4a69fbbef607a40668b8a193cc9e72539b87366b9205a5c3d28514e93c"],
])("a trie of %i values has the root that another implementation computes", (count, root) => {
  const values = Array.from({ length: count }, (_, index) => new Uint8Array(1 + ((index * 7) % 90)).fill(index + 1))
  expect(orderedTrieRoot(values)).toBe(root)
})

test("a trie without values has the well-known empty root", () => {
  expect(orderedTrieRoot([])).toBe(EMPTY_TRIE_ROOT)
})
