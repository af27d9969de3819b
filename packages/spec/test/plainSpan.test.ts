import { describe, expect, it } from "vitest"
import { plainSpan } from "../src/internal/plainSpan.ts"

const limits = { depth: 3, members: 2, values: 9 }

describe("the exact reader is needed", () => {
  const check = (text: string, expected: boolean) =>
    it(`${text}: ${expected}`, () => expect(!plainSpan(text, limits).isPlain).toBe(expected))
  check('[{"a":"b"}]', false)
  check("[[[1]]]", false)
  check("[[[[1]]]]", true)
  check('[["a"],["b"],["c"],["d"]]', false)
  check('[{"a":"["},{"a":"["},{"a":"{"}]', false)
  check('{"a":1,"b":{"a":1,"b":2}}', false)
  check('{"a":1,"b":2,"c":3}', true)
  check('[{"a":1,"b":2},{"c":3}]', false)
  check("[1,2,3,4,5,6,7,8,9]", false)
  check("[1,2,3,4,5,6,7,8,9,0]", true)
  check('["a,b,c,d,e,f,g,h,i,j,k,l"]', false)
  check("[1234567890123456]", true)
  check("[1.5]", true)
  check("[-0]", true)
})
