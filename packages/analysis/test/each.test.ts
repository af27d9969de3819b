import { atOnce, Json } from "@dotrpc/spec"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type Analysis,
  bindParams,
  rowsCheckScope,
  evaluate,
  priceElsewhere,
  readingCsv,
  rowRequests,
  showRequestPrice,
} from "../src/index.ts"
import { sheetOf } from "@dotrpc/prices"
import { analyzeFiles } from "./workspace.ts"

const address = (digit: number) => `0x${digit.toString(16).repeat(40).slice(0, 40)}`
const holders = `address,label\n${address(1)},Treasury\n${address(2)},"Ops, EU"\n`
const balances = `### balances\n# @each holders.csv\neth_getBalance [{{row.address}}, "latest"]\n`

/** The params of every row that is sent, as JSON. */
const paramsOf = (analysis: Analysis, results = new Map<string, Json.Json>()): ReadonlyArray<string> =>
  analysis.requests.flatMap((request) => {
    if (request.each === undefined) return []
    const rows = rowRequests(analysis, request, results)
    if ("diagnostics" in rows) return rows.diagnostics.map(({ message }) => message)
    return rows.map((row) => {
      const bound = bindParams(analysis, row, results)
      return "params" in bound ? Json.stringify(bound.params) : (bound.diagnostics[0]?.message ?? "")
    })
  })

const check = (
  title: string,
  files: Readonly<Record<string, string>>,
  expected: {
    readonly problems?: ReadonlyArray<string>
    readonly params?: ReadonlyArray<string>
    readonly price?: string
  },
) =>
  it(title, async () => {
    const analysis = await analyzeFiles(files)
    const { text } = analysis.tree.tokens
    const problems = analysis.diagnostics.map(
      ({ code, end, message, start }) => `${code} ${text.slice(start, end)}: ${message}`,
    )
    expect(problems).toEqual(expected.problems ?? [])
    if (expected.params !== undefined) expect(paramsOf(analysis)).toEqual(expected.params)
    const request = analysis.requests.find(({ each }) => each !== undefined)
    if (expected.price !== undefined) expect(request && showRequestPrice(request)).toBe(expected.price)
  })

/** A request for each row of a file, with one param or more. */
const each = (file: string, text: string, params: string, method = "eth_getBlockByNumber") => ({
  "a.rpc": `###\n# @each ${file}\n# @multicall off\n${method} [${params}]\n`,
  [file]: text,
})

describe("# @each makes one call for each row", () => {
  check(
    "of a CSV file",
    { "a.rpc": balances.replace("# @each", "# @multicall off\n# @each"), "holders.csv": holders },
    {
      params: [`["${address(1)}","latest"]`, `["${address(2)}","latest"]`],
      price: "160 credits · 2 rows",
    },
  )
  check("of NDJSON", each("b.ndjson", '{"b":"0x1"}\n\n{"b":"0x2"}\n', "{{row.b}}, false"), {
    params: ['["0x1",false]', '["0x2",false]'],
    price: "160 credits · 2 rows",
  })
  check("of a JSON array, of strings too", each("b.json", '["0x1", "0x2"]', "{{row}}, false"), {
    params: ['["0x1",false]', '["0x2",false]'],
  })
  check(
    "of an array in a variable",
    { "a.rpc": '@blocks = ["0x1", "0x2"]\n###\n# @each blocks\neth_getBlockByNumber [{{row}}, false]\n' },
    { params: ['["0x1",false]', '["0x2",false]'] },
  )
  check(
    "through variables of its section",
    {
      "a.rpc": "###\n# @each b.csv\n@block = hex(row.b)\neth_getBlockByNumber [{{block}}, false]\n",
      "b.csv": "b\n1\n2\n",
    },
    { params: ['["0x1",false]', '["0x2",false]'] },
  )
  check(
    "of the result of a request, at a price per row",
    {
      "a.rpc":
        "###\n# @name first\neth_getLogs [{}]\n###\n# @each first\neth_getTransactionByHash [{{row.transactionHash}}]\n",
    },
    { price: "80 credits per row" },
  )
  check(
    "and what all of them cost, with the rows that its budget pays for",
    {
      ...each("b.csv", "b\n1\n2\n3\n", "{{hex(row.b)}}, false"),
      "a.rpc": "###\n# @each b.csv\n# @budget 100\neth_getBlockByNumber [{{hex(row.b)}}, false]\n",
    },
    {
      price: "240 credits · 3 rows, the budget pays for 1",
      problems: [
        "A309 # @each b.csv: the budget of 100 credits pays for 1 of 3 rows, and all of them cost 240 credits: raise @budget to 240 or more, or resume the run to pay for the others",
      ],
    },
  )
  check("of equal rows once", each("b.csv", "b,c\n1,x\n2,x\n1,y\n", "{{hex(row.b)}}, false"), {
    params: ['["0x1",false]', '["0x2",false]', '["0x1",false]'],
    price: "160 credits · 3 rows, 2 different",
  })
  check(
    "of equal rows each, where the method must not be repeated",
    { "a.rpc": "###\n# @each b.csv\neth_sendRawTransaction [{{row.b}}]\n", "b.csv": "b\n0x02\n0x02\n" },
    { params: ['["0x02"]', '["0x02"]'] },
  )
})

describe("# @each keeps what is written", () => {
  const value = (title: string, text: string, expected: string) =>
    check(
      title,
      { "a.rpc": "# @network l2\n###\n# @unchecked\n# @each v.csv\nl2_any [{{row.v}}]\n", "v.csv": `v,w\n${text},x\n` },
      {
        params: [`[${expected}]`],
      },
    )
  value("whole numbers of any length", "18446744073709551616123", "18446744073709551616123")
  value("decimals", "0.10", "0.10")
  value("leading zeros, as text", "007", '"007"')
  value("numbers in quotes, as text", '"12"', '"12"')
  value("hex, as text", "0x10", '"0x10"')
  value("doubled quotes", '"a ""b"""', '"a \\"b\\""')
  value("line breaks in quotes", '"a\r\nb"', '"a\\r\\nb"')
})

describe("# @each reads CSV as other programs write it", () => {
  const rows = (title: string, text: string, expected: ReadonlyArray<string>) =>
    check(
      title,
      { "a.rpc": "# @network l2\n###\n# @unchecked\n# @each v.csv\nl2_any [{{row}}]\n", "v.csv": text },
      { params: expected },
    )
  rows("with lines of Windows", 'v,w\r\n1,x\r\n2,"y"\r\n', ['[{"v":1,"w":"x"}]', '[{"v":2,"w":"y"}]'])
  rows("without a last line break", "v\n1", ['[{"v":1}]'])
  rows("with empty lines", "v,w\n\n1,x\n\r\n,\n", ['[{"v":1,"w":"x"}]'])
  rows("with semicolons", "v;w\n1,5;x\n", ['[{"v":"1,5","w":"x"}]'])
  rows("with tabs", "v\tw\n1\tx,y\n", ['[{"v":1,"w":"x,y"}]'])
  rows("with more separators in a quoted name than between names", '"v; in a;b",w\n1,2\n', ['[{"v; in a;b":1,"w":2}]'])
  rows("with separators after a line break in a quoted name", '"v\n;;",w\n1,2\n', ['[{"v\\n;;":1,"w":2}]'])
  rows("with separators in quotes", 'v,w\n"a,b",x\n', ['[{"v":"a,b","w":"x"}]'])
  rows("with spaces around names", " v , w \n1,x\n", ['[{"v":1,"w":"x"}]'])
  rows("with empty cells", "v,w\n1,\n", ['[{"v":1,"w":""}]'])
  rows("with a name of every object", "__proto__,constructor\na,b\n", ['[{"__proto__":"a","constructor":"b"}]'])
})

describe("# @each says what is wrong, with the line of the file", () => {
  check(
    "a file that is not there",
    { "a.rpc": balances },
    {
      problems: ["A340 holders.csv: cannot read holders.csv: the path is relative to the folder of this file"],
    },
  )
  check(
    "a missing column",
    { "a.rpc": balances, "holders.csv": "adress,label\n0x1,x\n" },
    {
      problems: [
        'A341 address: holders.csv:2: there is no "address" here; did you mean "adress"?; correct this row or remove it',
      ],
    },
  )
  check(
    "values of the wrong type",
    { "a.rpc": balances, "holders.csv": `${holders}nobody,x\n0x12,y\n` },
    {
      problems: [
        `A341 {{row.address}}: holders.csv:4: address: expected an address of 20 bytes (0x and 40 hex digits), found "nobody", which does not begin with 0x, and 1 more row; correct these rows or remove them`,
      ],
    },
  )
  const broken = (title: string, file: string, text: string, message: string) =>
    check(
      title,
      { "a.rpc": `###\n# @each ${file}\neth_getBalance [{{row.address}}, "latest"]\n`, [file]: text },
      {
        problems: [`A340 ${file}: ${message}`],
      },
    )
  broken(
    "a quote that is not closed",
    "h.csv",
    'address\n0x1\n"0x2\n',
    "h.csv:3 begins a quoted cell that never ends: close its quote",
  )
  broken(
    "a record with too few cells",
    "h.csv",
    "address,label\n0x1,a\n0x2\n",
    "h.csv:3 has 1 cell, and the first line names 2 columns: add or remove cells, or put a cell with a separator in quotes",
  )
  broken(
    "two columns of one name",
    "h.csv",
    "address,address\n1,2\n",
    'h.csv:1 names the column "address" twice: rename one of them',
  )
  broken(
    "a column without a name",
    "h.csv",
    "address,\n1,2\n",
    "h.csv:1 has no name for column 2: expected a name for each column in the first line",
  )
  broken(
    "a column whose name is a space",
    "h.csv",
    'address," "\n1,2\n',
    "h.csv:1 has no name for column 2: expected a name for each column in the first line",
  )
  broken(
    "two columns of one name, with a space",
    "h.csv",
    '"address",address \n1,2\n',
    'h.csv:1 names the column "address" twice: rename one of them',
  )
  broken(
    "a record with too many cells, after a quoted line break",
    "h.csv",
    'address,label\r\n0x1,"a\r\nb"\r\n0x2,c,d\r\n',
    "h.csv:4 has 3 cells, and the first line names 2 columns: add or remove cells, or put a cell with a separator in quotes",
  )
  broken("no rows", "h.csv", "address\n", "h.csv has no rows: expected at least one")
  broken("an empty file", "h.csv", "", "h.csv is empty: expected a first line with the names of the columns")
  broken(
    "too many rows",
    "h.csv",
    `address\n${"0x1\n".repeat(10_001)}`,
    "h.csv has more than 10,000 rows, the most that one request is sent for: divide it",
  )
  broken(
    "a text that is too long",
    "h.csv",
    `address\n${"x".repeat(4_200_000)}`,
    "h.csv is longer than 4 MB, the most that is read: divide it",
  )
  broken(
    "a line that is not JSON",
    "h.ndjson",
    '{"address":1}\n{address}\n',
    'h.ndjson:2:2 is not JSON: expected one JSON value on each line; expected a string, found "a"',
  )
  for (const path of ["../o.csv", "data/../../o.csv", "..\\o.csv", "/etc/passwd", "C:\\o.csv"])
    check(
      `a file outside its folder: ${path}`,
      { "a.rpc": `###\n# @each ${path}\neth_getBalance [{{row}}, "latest"]\n`, [path]: "address\n0x1\n" },
      { problems: [`A340 ${path}: ${path} is outside the folder of this file: copy it there, as its rows are sent`] },
    )
  for (const path of [".env", "./.env", ".git/rows.csv"])
    check(
      `a hidden file: ${path}`,
      { "a.rpc": `###\n# @each ${path}\neth_getBalance [{{row}}, "latest"]\n`, [path]: "address\n0x1\n" },
      {
        problems: [
          `A340 ${path}: ${path} is a hidden file, which may contain keys; give it another name, as its rows are sent`,
        ],
      },
    )
  broken("JSON that is not an array", "h.json", "{}", "h.json is not an array: each of its items would be a row")
  check(
    "a name that nothing has",
    { "a.rpc": '###\n# @each holders\neth_getBalance [{{row.a}}, "latest"]\n' },
    {
      problems: [
        'A201 holders: unknown name "holders": define it with @holders = …, or name a request with # @name holders',
      ],
    },
  )
  check(
    "a member that no request has",
    {
      "a.rpc": '###\n# @name first\neth_getLogs [{}]\n###\n# @each first.rows\neth_getBalance [{{row.a}}, "latest"]\n',
    },
    { problems: ['A205 rows: a request has no "rows": write first.result'] },
  )
  check(
    "rows with pages",
    { "a.rpc": '###\n# @each v.csv\n# @all\neth_getLogs [{ "address": {{row.v}} }]\n', "v.csv": `v\n${address(1)}\n` },
    {
      problems: [
        "A342 # @each v.csv: @each makes one call for each row, and @all makes many: use one of them in this section",
      ],
    },
  )
  check(
    "a function over rows where there are none",
    { "a.rpc": "###\neth_blockNumber []\n?? every(result != null)\n" },
    {
      problems: [
        "A204 every: every(…) is about all items, as every(result[*].value > 0), or all rows: use it in a check with [*], or of a section with # @each",
      ],
    },
  )
  check(
    "a file of a kind that is not read",
    { "a.rpc": '###\n# @each w.xlsx\neth_getBalance [{{row.a}}, "latest"]\n' },
    {
      problems: [
        'A340 w.xlsx: nothing here is named "w", and a file of rows ends in .csv, .tsv, .txt, .ndjson, .jsonl or .json',
      ],
    },
  )
  check(
    "a column that no row has, in a check",
    {
      "a.rpc": `${balances}?? result >= row.least\n?? row.adress != row.label\n?? every(row.xyzzy > 0)\n`,
      "holders.csv": holders,
    },
    {
      problems: [
        'A341 least: no row of holders.csv has "least"',
        'A341 adress: no row of holders.csv has "adress"; did you mean "address"?',
        'A341 xyzzy: no row of holders.csv has "xyzzy"',
      ],
    },
  )
  check(
    "a member that some rows have",
    {
      ...each("h.ndjson", '{"b":"0x1"}\n{"b":"0x2","least":1}\n', "{{row.b}}, false"),
      "a.rpc": "###\n# @each h.ndjson\n# @multicall off\neth_getBlockByNumber [{{row.b}}, false]\n?? row.least != 2\n",
    },
    {},
  )
  check("an item that shares its line with others", each("h.json", '["0x1",\n "0x2", 3]\n', "{{row}}, false"), {
    problems: [expect.stringMatching(/^A341 \{\{row\}\}: h\.json:2 \[2\]: /) as string],
  })
  check(
    "row where there is none",
    { "a.rpc": '###\neth_getBalance [{{row.a}}, "latest"]\n' },
    {
      problems: ['A201 row: "row" has a value only in a section with # @each: write # @each FILE above the call'],
    },
  )
})

it("a request with a row that cannot be sent is not sent", async () => {
  const { requests } = await analyzeFiles({ "a.rpc": balances, "holders.csv": `${holders}nobody,x\n` })
  expect(requests[0]?.errors.map(({ code }) => code)).toEqual(["A341"])
})

it("rows may be one call where they read one block", async () => {
  const { requests } = await analyzeFiles({
    "a.rpc":
      '###\n# @each h.csv\n# @multicall on\neth_call [{ "to": {{row.address}}, "data": "0x18160ddd" }, "latest"]\n',
    "h.csv": `address\n${Array.from({ length: 150 }, (_, index) => `0x${String(index).padStart(40, "0")}\n`).join("")}`,
  })
  expect(requests[0]?.price).toMatchObject({ min: 160, max: 12_000 + 160 })
})

it("other sheets price every row", async () => {
  const analysis = await analyzeFiles({ "a.rpc": balances, "holders.csv": holders })
  const one = await analyzeFiles({ "a.rpc": `###\neth_getBalance ["${address(1)}", "latest"]\n` })
  const sheet = sheetOf("alchemy")
  if (sheet === undefined) throw new Error("there is no such sheet")
  const [all, single] = [analysis, one].map(
    (each) => priceElsewhere([{ analysis: each, requests: each.requests }], [sheet])[0],
  )
  expect(all?.min).toBe(2 * (single?.min ?? 0))
  const equal = await analyzeFiles({ "a.rpc": balances, "holders.csv": `${holders}${address(1)},z\n` })
  expect(priceElsewhere([{ analysis: equal, requests: equal.requests }], [sheet])[0]?.min).toBe(all?.min)
})

describe("checks over all rows", () => {
  const values = (title: string, text: string, expected: Json.Json | string) =>
    it(title, async () => {
      const analysis = await analyzeFiles({
        "a.rpc": `###\n# @each v.csv\neth_getBalance ["${address(1)}", "latest"]\n?? ${text}\n`,
        "v.csv": "least\n1\n2\n3\n",
      })
      const [request] = analysis.requests
      const node = request?.section.checks[0]
      if (request === undefined || node === undefined) throw new Error("there is no check")
      const rows = rowRequests(analysis, request, new Map())
      if ("diagnostics" in rows) throw new Error("there are no rows")
      const outcomes = rows.map((row, index) => ({
        request: row,
        own: { result: ["0x1", "0x2", "0x8000000000000000000000"][index] ?? null, error: null },
      }))
      const result = outcomes.map(({ own }) => own.result)
      const scope = atOnce(rowsCheckScope(analysis, request, node, { result }, new Map(), outcomes))
      const found = evaluate(node.expr, scope)
      expect(found._tag === "Value" ? found.value : found._tag === "Problem" && found.diagnostics[0]?.message).toEqual(
        expected,
      )
    })
  values("every", "every(result >= row.least)", true)
  values("every, where one is not", "every(result < 3)", false)
  values("some", "some(result == 2)", true)
  values("count", "count(result > row.least)", 1)
  values("sum, to the last digit", "sum(result)", 154742504910672534362390531n)
  values("the array of results beside them", "result.length == 3 && every(result > 0)", true)
  values("what is decided before it is not evaluated", "some(result == 1) || every(result > error)", true)
  values(
    "one inside the other is about nothing",
    "every(sum(result) > 0)",
    "v.csv:2: sum(…) is about all items, as sum(result[*].value > 0), or all rows: use it in a check with [*], or of a section with # @each",
  )
  values(
    "a row that cannot be compared",
    "every(result > error)",
    'v.csv:2: ">" needs two numbers, found a string and null',
  )
})

it("law: CSV that is written with quotes is read as written", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", " ", ";", "\r", "7") })
  const records = fc
    .integer({ min: 2, max: 4 })
    .chain((columns) =>
      fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 6 }),
    )
  fc.assert(
    fc.property(records, fc.constantFrom("\n", "\r\n"), (written, end) => {
      const head = (written[0] ?? []).map((_, index) => `c${index}`)
      const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
      const text = [head, ...written].map((row) => row.map(quoted).join(",")).join(end)
      const read = atOnce(readingCsv(text))
      const isEmpty = (row: ReadonlyArray<string>) => row.every((one) => one === "")
      expect("problem" in read ? read : read.slice(1).map(({ cells }) => cells)).toEqual(
        written.filter((row) => !isEmpty(row)),
      )
    }),
  )
})
