/** Texts of the language that cost far more than they are long, unless anyone who reads them takes care. */
import { hostileNames } from "./hostileNames.ts"

export interface Bomb {
  /** Also the name of its file, without the ending. */
  readonly name: string
  /** The text of a `.rpc` file. */
  readonly text: () => string
}

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `${line(index)}\n`).join("")

const call = (params: string): string => `### bomb\neth_getStorageAt ${params}\n`
const check = (expression: string): string =>
  `${call('["0x00000000000000000000000000000000000000aa", "0x0", "latest"]')}? ${expression}\n`

/** `count` variables, each made of the one above. */
const chain = (count: number, first: string, next: (above: string) => string): string =>
  lines(count, (index) => (index === 0 ? `@v0 = ${first}` : `@v${index} = ${next(`v${index - 1}`)}`))

const last = (count: number): string => call(`["{{v${count - 1}}}", "latest"]`)

const bomb = (name: string, text: () => string): Bomb => ({ name, text })

export const textBombs: ReadonlyArray<Bomb> = [
  // What one value makes of another.
  bomb("text-doubled", () => chain(40, '"x"', (above) => `"{{${above}}}{{${above}}}"`) + last(40)),
  bomb("text-doubled-bare", () => chain(60, '"x"', (above) => `{{${above} + ${above}}}`) + last(60)),
  bomb("text-times-ten", () => chain(12, '"xxxxxxxxxx"', (above) => `"${`{{${above}}}`.repeat(10)}"`) + last(12)),
  bomb("list-doubled", () => chain(40, "[1]", (above) => `[{{${above}}}, {{${above}}}]`) + last(40)),
  bomb("object-doubled", () => chain(40, '{"a": 1}', (above) => `{"a": {{${above}}}, "b": {{${above}}}}`) + last(40)),
  bomb("list-nested", () => chain(5_000, "[1]", (above) => `[{{${above}}}]`) + last(5_000)),
  bomb(
    "list-as-text",
    () => `${chain(25, "[1]", (above) => `[{{${above}}}, {{${above}}}]`)}@s = "{{v24}}{{v24}}"\n${call('["{{s}}"]')}`,
  ),
  bomb("integer-squared", () => chain(60, "{{1000003}}", (above) => `{{${above} * ${above}}}`) + last(60)),
  bomb(
    "integer-squared-to-hex",
    () => `${chain(26, "{{1000003}}", (above) => `{{${above} * ${above}}}`)}@h = {{hex(v25)}}\n${call('["{{h}}"]')}`,
  ),
  bomb("integer-of-digits", () => `@n = {{number("${"9".repeat(400_000)}")}}\n${call('["{{n}}"]')}`),
  bomb("literal-of-digits", () => call(`[${"9".repeat(400_000)}]`)),
  bomb("exponents", () => check(`result == 1e${"9".repeat(100_000)} && 1e999999999 % 3 == 0 && 1e308 * 1e308 > 0`)),
  bomb(
    "units",
    () => call(`["{{parseUnits("1", 999999999)}}"]`) + check(`ether("1e999999999") == ${"1".repeat(10_000)}`),
  ),
  bomb("checks-on-doubled", () => `${chain(40, '"x"', (above) => `"{{${above}}}{{${above}}}"`)}${check("v39 == v39")}`),
  bomb(
    "same-doubled-in-each-section",
    () =>
      `${chain(19, '"x"', (above) => `"{{${above}}}{{${above}}}"`)}${lines(200, () => call('["{{v18}}{{v18}}", "latest"]'))}`,
  ),

  // Chains and cycles of names.
  bomb("chain-of-variables", () => chain(20_000, "1", (above) => `{{${above}}}`) + last(20_000)),
  bomb("chain-of-sums", () => chain(5_000, "1", (above) => `{{${above} + ${above}}}`) + last(5_000)),
  bomb("chain-upside-down", () => lines(5_000, (index) => `@v${index} = {{v${index + 1}}}`) + call('["{{v0}}"]')),
  bomb("cycle-of-variables", () => `@a = {{b}}\n@b = {{a}}\n@c = {{c}}\n${call('["{{a}}{{c}}"]')}`),
  bomb(
    "every-variable-names-all-above",
    () =>
      lines(
        400,
        (index) => `@v${index} = "${Array.from({ length: index }, (_, above) => `{{v${above}}}`).join("")}x"`,
      ) + last(400),
  ),
  bomb("chain-of-requests", () =>
    lines(
      5_000,
      (index) =>
        `### r${index}\n# @name r${index}\neth_getStorageAt ["${index === 0 ? "latest" : `{{r${index - 1}.result.number}}`}", false]\n`,
    ),
  ),
  bomb("cycle-of-requests", () =>
    lines(
      2_000,
      (index) =>
        `### r${index}\n# @name r${index}\neth_getStorageAt ["{{r${(index + 1) % 2_000}.result.number}}", false]\n`,
    ),
  ),
  bomb("requests-that-need-all-above", () =>
    lines(
      250,
      (index) =>
        `### r${index}\n# @name r${index}\neth_getLogs {"topics": [${Array.from({ length: index }, (_, above) => `"{{r${above}.result}}"`).join(", ")}]}\n`,
    ),
  ),

  // Depth.
  ...(["[", '{"a":', "({", "{{", "(", "[{{(", "!", "-", "a[", "hex(", "/*"] as const).flatMap((opener, index) => [
    bomb(`open-${index}-in-params`, () => call(opener.repeat(30_000))),
    bomb(`open-${index}-in-a-variable`, () => `@v = ${opener.repeat(30_000)}\n${call("[]")}`),
    bomb(`open-${index}-in-a-check`, () => check(opener.repeat(30_000))),
  ]),
  bomb("brackets", () => call("[".repeat(50_000) + "]".repeat(50_000))),
  bomb("braces", () => call('{"a":'.repeat(20_000) + "1" + "}".repeat(20_000))),
  bomb("parentheses", () => check("(".repeat(50_000) + "1" + ")".repeat(50_000))),
  bomb("denials", () => check(`${"!".repeat(100_000)}true`)),
  bomb("minuses", () => check(`${"-".repeat(100_000)}1 == 1`)),
  bomb("sum", () => check(`${"1+".repeat(50_000)}1 == 1`)),
  bomb("sum-in-params", () => call(`["{{${"1+".repeat(50_000)}1}}"]`)),
  bomb("conjunction", () => check(`true${" && true".repeat(30_000)}`)),
  bomb("members", () => check(`result${".a".repeat(50_000)} == null`)),
  bomb("indexes", () => check(`result${"[0]".repeat(50_000)} == null`)),
  bomb("functions", () => check(`${"hex(".repeat(20_000)}1${")".repeat(20_000)} == "0x1"`)),
  bomb("arguments", () => check(`hex(${"1,".repeat(50_000)}1) == "0x1"`)),
  bomb("templates", () => call(`["${"{{".repeat(30_000)}"]`)),

  // Breadth.
  bomb("many-members", () =>
    call(`{${Array.from({ length: 50_000 }, (_, index) => `"a${index}": ${index}`).join(", ")}}`),
  ),
  bomb("same-member", () => call(`{${Array.from({ length: 50_000 }, () => '"a": 1').join(", ")}}`)),
  bomb("many-items", () => call(`[${"1,".repeat(100_000)}1]`)),
  bomb("many-empty-lists", () => call(`[${"[],".repeat(50_000)}[]]`)),
  bomb("many-sections", () => lines(10_000, (index) => `### s${index}\neth_getLogs {}\n`)),
  bomb("many-headers", () => "###\n".repeat(50_000)),
  bomb("many-requests-of-one-name", () => lines(5_000, () => "###\n# @name same\neth_getLogs {}\n")),
  bomb("many-variables-of-one-name", () => lines(10_000, (index) => `@same = ${index}`) + call('["{{same}}"]')),
  bomb("many-variables", () => lines(20_000, (index) => `@v${index} = ${index}`) + call('["{{v1}}"]')),
  bomb("many-checks", () => `${call("[]")}${"? result == 1\n".repeat(20_000)}`),
  bomb("many-wrong-checks", () => `${call("[]")}${"? reslt == 1\n".repeat(20_000)}`),
  bomb("many-directives", () => `###\n${"# @timeout 1s\n".repeat(20_000)}eth_getLogs {}\n`),
  bomb("many-unknown-directives", () => `###\n${lines(20_000, (index) => `# @timeuot${index} 1s`)}eth_getLogs {}\n`),
  bomb(
    "many-unknown-names",
    () =>
      `${lines(300, (index) => `@known${index} = 1`)}${call(`[${Array.from({ length: 5_000 }, (_, index) => `"{{unknwon${index}}}"`).join(", ")}]`)}`,
  ),
  bomb("many-unknown-methods", () => lines(3_000, (index) => `###\neth_getBalanc${index} []\n`)),
  bomb("many-unknown-networks", () => lines(3_000, (index) => `###\n# @network evn${index}\neth_getLogs {}\n`)),
  bomb("many-unknown-functions", () => check(Array.from({ length: 5_000 }, (_, index) => `hx${index}(1)`).join(" + "))),
  bomb("many-unknown-references", () =>
    lines(3_000, (index) => `###\n# @name a${index}\n# @ref b${index}\neth_getLogs {}\n`),
  ),
  bomb("many-broken-sections", () => "###\neth_getBalance [}\n? ==\n".repeat(3_000)),
  bomb("many-open-strings", () => '###\neth_call ["\n'.repeat(5_000)),
  bomb("many-open-templates", () => '###\neth_call ["{{\n'.repeat(5_000)),
  bomb("many-open-comments", () => "/* ".repeat(100_000)),
  bomb("many-closers", () => call("]".repeat(50_000))),
  bomb("many-templates", () => `@a = 1\n${call(`["${"{{a}}".repeat(50_000)}"]`)}`),
  bomb(
    "many-abis",
    () => `###\n${lines(5_000, (index) => `# @abi event E${index}(address indexed a)`)}eth_getLogs {}\n`,
  ),
  bomb("many-abi-paths", () => `###\n${lines(5_000, (index) => `# @abi ./missing${index}.json`)}eth_getLogs {}\n`),
  bomb("many-imports", () => lines(10_000, (index) => `# @import ./missing${index}.rpc`) + "###\neth_getLogs {}\n"),
  bomb(
    "imports-of-other-machines",
    () =>
      "# @import //127.0.0.1/x.rpc\n# @import \\\\127.0.0.1\\x.rpc\n# @import file://127.0.0.1/x.rpc\n# @import http://127.0.0.1:1/x.rpc\n# @abi //127.0.0.1/x.json\n###\neth_getLogs {}\n",
  ),
  bomb(
    "imports-of-devices",
    () =>
      "# @import /dev/zero\n# @import /dev/stdin\n# @import /dev/tty\n# @import /proc/self/mem\n# @import .\n# @import /\n# @abi /dev/zero\n###\neth_getLogs {}\n",
  ),
  bomb("many-secrets", () => call(`["${"{{$secret.NONE}}".repeat(10_000)}"]`)),
  bomb("many-addresses", () => "# https://user:password@host/v3/0123456789abcdef0123456789abcdef\n".repeat(10_000)),

  // Length.
  bomb("one-line", () => `# ${"x".repeat(1_000_000)}\n`),
  bomb("one-word", () => "x".repeat(1_000_000)),
  bomb("one-method", () => `###\n${"eth_".repeat(250_000)} []\n`),
  bomb("one-name", () => `@${"a".repeat(500_000)} = 1\n${call(`["{{${"a".repeat(499_999)}b}}"]`)}`),
  bomb("one-string", () => call(`["${"x".repeat(1_000_000)}"]`)),
  bomb("one-string-of-escapes", () => call(`["${String.raw`\u0041`.repeat(150_000)}"]`)),
  bomb("one-string-of-wrong-escapes", () => call(`["${String.raw`\q`.repeat(100_000)}"]`)),
  bomb("one-title", () => `### ${"title ".repeat(150_000)}\neth_getLogs {}\n`),
  bomb(
    "one-directive",
    () =>
      `###\n# @${"name".repeat(100_000)} x\n# @name ${"y".repeat(500_000)}\n# @timeout ${"9".repeat(500_000)}s\neth_getLogs {}\n`,
  ),
  bomb(
    "one-declaration",
    () =>
      `###\n# @abi event E(${"(".repeat(20_000)}uint256${")".repeat(20_000)} a)\n# @abi event F(uint256${"[]".repeat(20_000)} a)\n# @abi event G(${"uint256 a, ".repeat(20_000)}uint256 b)\neth_getLogs {}\n`,
  ),
  bomb("spaces", () => `###\n${" ".repeat(500_000)}eth_getLogs {}${" ".repeat(500_000)}\n`),
  bomb("spaces-before-a-comment", () => call(`[${" ".repeat(200_000)}# x\n]`)),
  bomb("blank-lines", () => "\n".repeat(500_000)),
  bomb("carriage-returns", () => "\r".repeat(500_000)),
  bomb("a-million-blank-lines", () => "\n".repeat(1_400_000)),
  bomb("tabs", () => "\t".repeat(500_000)),
  bomb("marks", () => "\uFEFF".repeat(100_000)),
  bomb("controls", () => "\u0000\u001b[2J\u202e".repeat(50_000)),
  bomb("halves-of-characters", () => call(`["${"\ud800".repeat(100_000)}"]`)),
  bomb("combining", () => `### ${"e\u0301".repeat(100_000)}\neth_getLogs {}\n`),

  // Names that every object has.
  bomb(
    "names-of-objects",
    () =>
      `${lines(hostileNames.length, (index) => `@x${index} = {{${hostileNames[index]}}}`)}${call(`[${hostileNames.map((name) => `"{{${name}}}{{$env.${name}}}{{$secret.${name}}}"`).join(", ")}]`)}`,
  ),
  bomb(
    "members-of-objects",
    () =>
      `@o = {"a": 1}\n@t = "x"\n${hostileNames.map((name) => check(`o.${name} == t["${name}"] && result.${name} == null && ${name}(1) == null && credits.${name} == [1]`)).join("")}`,
  ),
  bomb("requests-named-as-members", () =>
    hostileNames
      .map(
        (name) =>
          `### ${name}\n# @name ${name}\n# @network ${name}\n# @env ${name}\n# @tag ${name}\n# @ref ${name}\n# @${name} ${name}\n${name} {"${name}": {{${name}.${name}}}, "__proto__": {"a": 1}}\n? ${name}.result == 1\n`,
      )
      .join(""),
  ),
  bomb(
    "variables-named-as-members",
    () =>
      `${hostileNames.map((name) => `@${name} = 1\n`).join("")}${call(`[${hostileNames.map((name) => `{{${name}}}`).join(", ")}]`)}`,
  ),
]

const ofEachKind = new Set([
  "text-doubled",
  "integer-squared",
  "list-nested",
  "every-variable-names-all-above",
  "cycle-of-variables",
  "open-5-in-a-check",
  "denials",
  "same-member",
  "many-unknown-names",
  "many-broken-sections",
  "one-string-of-wrong-escapes",
  "members-of-objects",
])

/** Few of them, for tests that run often: values that grow, chains, cycles, depth, breadth, length and names. */
export const oneOfEachKind: ReadonlyArray<Bomb> = textBombs.filter(({ name }) => ofEachKind.has(name))
