import { isSyntaxError, parse } from "@dotrpc/lang"
import { runs } from "@dotrpc/vitest/depth"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type Converted,
  readCast,
  readCurl,
  readHttp,
  readIo,
  type ReadMentioned,
  readPostman,
  writeRequests,
} from "../src/index.ts"
import { cmdCommands } from "../src/convert/cmdWords.ts"
import { shellCommands } from "../src/convert/shellWords.ts"
import { readViem } from "../src/convert/viem.ts"

const key = "0f3aa9c1d2b84e57"
const familyOf = (method: string) => ({ plugin: method.startsWith("eth_") ? "evm" : "l2-events" })

type Read = (text: string, readMentioned: ReadMentioned) => Converted

interface Expected {
  readonly text: string
  readonly networks?: ReadonlyArray<string>
  readonly problems?: ReadonlyArray<string>
}

const checkWith =
  (read: Read) =>
  (what: string, source: string, expected: Expected, files: Readonly<Record<string, string>> = {}) =>
    it(what, () => {
      const converted = read(source, (path) => files[path])
      const { networks, text } = writeRequests(converted, familyOf)
      expect(text).toBe(expected.text)
      expect(networks.map(({ id, plugin, url }) => `${id} ${plugin} ${url}`)).toEqual(expected.networks ?? [])
      expect(converted.problems.map(({ line, message }) => `${line}: ${message}`)).toEqual(expected.problems ?? [])
      expect(parse(text).diagnostics.filter(isSyntaxError)).toEqual([])
      expect(JSON.stringify([text, networks, converted.problems])).not.toContain(key)
    })

describe("an .http file", () => {
  const check = checkWith(readHttp)
  check(
    "gives a section for each request, with names, comments and digits kept",
    `### Logs of the token
# a remark
# @name logs
POST https://mainnet.example.com/v3/${key} HTTP/1.1
Content-Type: application/json

{
  "jsonrpc": "2.0", "id": 1, // the first
  "method": "eth_getLogs",
  "params": [{ "fromBlock": "0x1", "topics": [18446744073709551615] }]
}

### Receipt
POST https://mainnet.example.com/v3/${key}
Content-Type: application/json

{"jsonrpc":"2.0","id":2,"method":"eth_getTransactionReceipt","params":["{{logs.response.body.$.result[0].transactionHash}}"]}
`,
    {
      text: `# @network mainnet

### Logs of the token
# a remark
# the first
# @name logs
eth_getLogs [{ "fromBlock": "0x1", "topics": [18446744073709551615] }]

### Receipt
eth_getTransactionReceipt ["{{logs.result[0].transactionHash}}"]
`,
      networks: ["mainnet evm https://mainnet.example.com/v3/{{$secret.MAINNET_KEY}}"],
    },
  )
  check(
    "keeps variables that bodies use, and puts those of addresses away",
    `@host = https://mainnet.example.com
@apiKey = ${key}
@token = 0x5fbdb2315678afecb367f032d93f642f64180aa3
@from = 100
@unused = x

###
POST {{host}}/v3/{{apiKey}}

{"method":"eth_getLogs","params":[{"address":"{{token}}","fromBlock":{{from}}}]}
`,
    {
      text: `# @network mainnet
@token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
@from = 100

### eth_getLogs
eth_getLogs [{ "address": "{{token}}", "fromBlock": {{from}} }]
`,
      networks: ["mainnet evm https://mainnet.example.com/v3/{{$secret.API_KEY}}"],
    },
  )
  check(
    "keeps a variable that is a key a secret where a body uses it",
    `@apiKey = ${key}\n###\nPOST https://h.example.com/{{apiKey}}\n\n{"method":"eth_x","params":["{{apiKey}}"]}\n`,
    {
      text: `# @network h\n@apiKey = $secret.API_KEY\n\n### eth_x\neth_x ["{{apiKey}}"]\n`,
      networks: ["h evm https://h.example.com/{{$secret.API_KEY}}"],
    },
  )
  check(
    "reports what it cannot take over, and loses none of it",
    `### Page
GET https://example.com/page

### Login
POST https://example.com/v1/login
Authorization: Bearer ${key}

{"user":"me"}

### Call
POST http://localhost:8545

{"method":"eth_blockNumber"}

> {% client.global.set("x", 1) %}

### Random
POST http://localhost:8545

{"method":"eth_x","params":["{{$guid}}"]}
`,
    {
      text: `# @network local

### Page
# GET https://example.com/{{$secret.EXAMPLE_KEY}}

### Login
# POST https://example.com/v1/{{$secret.EXAMPLE_KEY}}
# {"user":"me"}

### Call
eth_blockNumber

### Random
# POST http://localhost:8545
# {"method":"eth_x","params":["{{$guid}}"]}
`,
      networks: ["local evm http://localhost:8545"],
      problems: [
        "2: this request cannot be converted: it has no body; it is kept as a comment",
        '5: headers are not imported: Authorization; write them in "headers" of the network in rpc.config.json, with keys as secrets',
        '5: this request cannot be converted: its body is not JSON-RPC: expected an object with "method"; it is kept as a comment',
        "15: a script is not imported",
        "18: this request cannot be converted: {{$guid}} has no meaning here; it is kept as a comment",
      ],
    },
  )
  check(
    "makes sections of a batch, and reads bodies in other files",
    `### Both\nPOST http://127.0.0.1:1\n\n[{"method":"eth_a","params":[]},{"method":"l2_b","params":{"x":1}}]\n### File\nPOST http://127.0.0.1:1\n\n< ./body.json\n### Gone\nPOST http://127.0.0.1:1\n\n< ./gone.json\n`,
    {
      text: `# @network local\n\n### Both\neth_a []\n\n### Both\n# @network local-2\nl2_b { "x": 1 }\n\n### File\neth_c [1]\n\n### Gone\n# POST http://127.0.0.1:1\n# < ./gone.json\n`,
      networks: ["local evm http://127.0.0.1:1", "local-2 l2-events http://127.0.0.1:1"],
      problems: [
        "10: this request cannot be converted: its body is in ./gone.json, which cannot be read; it is kept as a comment",
      ],
    },
    { "./body.json": '{"method":"eth_c","params":[1]}' },
  )
})

describe("what .http files have around their requests", () => {
  const check = checkWith(readHttp)
  const body = '{"method":"eth_a","params":[]}'
  check(
    "keys in titles and comments are taken out, wherever their address is",
    `@apiKey = ${key}\n### as https://a.example.com/v3/${key}\n# see https://b.example.com/v2/abcdef0123456789?x=1, https://d.example.com/docs/introduction, and ${key}\nPOST https://c.example.com/v3/{{apiKey}}\n\n${body}\n`,
    {
      text: "# @network c\n\n### as https://a.example.com/v3/•••\n# see https://b.example.com/v2/•••?x=1, https://d.example.com/docs/introduction, and •••\neth_a []\n",
      networks: ["c evm https://c.example.com/v3/{{$secret.API_KEY}}"],
    },
  )
  check(
    "values of the id are not missed",
    `###\nPOST http://127.0.0.1:1\n\n{"method":"eth_a","id":{{$randomInt 1 9}},"params":["{{$env.A}}"]}\n###\nPOST http://127.0.0.1:1\n\n{"method":"eth_b","id":"{{$guid}}"}\n`,
    {
      text: '# @network local\n\n### eth_a\neth_a ["{{$env.A}}"]\n\n### eth_b\neth_b\n',
      networks: ["local evm http://127.0.0.1:1"],
    },
  )
  check(
    "settings of a request are reported, and stay as comments",
    `###\n# @ref login\n// @timeout 30\n# @name a\nPOST http://127.0.0.1:1\n\n${body}\n`,
    {
      text: "# @network local\n\n### eth_a\n# (at) ref login\n# (at) timeout 30\n# @name a\neth_a []\n",
      networks: ["local evm http://127.0.0.1:1"],
      problems: ["2: @ref is not imported", "3: @timeout is not imported"],
    },
  )
  check(
    "scripts above a request are reported, and the request is read",
    `###\n# first\n< {%\n  request.variables.set("key", "${key}")\n%}\n< ./before.js\nPOST http://127.0.0.1:1\n\n${body}\n`,
    {
      text: "# @network local\n\n### eth_a\n# first\neth_a []\n",
      networks: ["local evm http://127.0.0.1:1"],
      problems: ["3: a script is not imported", "6: a script is not imported"],
    },
  )
  check(
    "a user name and a password are left out, and short values of a query stay",
    `###\nPOST https://me:${key}@h.example.com:8545/?key=${key}&x=1&y=\n\n${body}\n`,
    {
      text: "# @network h\n\n### eth_a\neth_a []\n",
      networks: ["h evm https://h.example.com:8545/?key={{$secret.H_KEY}}&x=1&y="],
      problems: [
        "2: the user name and password of its URL are not imported: write them into the network's URL, as secrets",
      ],
    },
  )
  check(
    "a host that nothing in the file defines is of the environment",
    `###\nPOST https://{{myHost}}:8545/v3/{{$dotenv API_KEY}}\n\n${body}\n`,
    {
      text: "# @network my-host\n\n### eth_a\neth_a []\n",
      networks: ["my-host evm https://{{$env.MY_HOST}}:8545/v3/{{$secret.API_KEY}}"],
    },
  )
  check(
    "names that nothing in the file defines are reported",
    `@id = {{$guid}}\n###\nPOST http://127.0.0.1:1\n\n{"method":"eth_a","params":["{{nowhere}}","{{id}}","{{hex(1)}}"]}\n`,
    {
      text: '# @network local\n\n### eth_a\neth_a ["{{nowhere}}", "{{id}}", "{{hex(1)}}"]\n',
      networks: ["local evm http://127.0.0.1:1"],
      problems: [
        "3: {{nowhere}} is not defined in this file: add a line @nowhere = … to the output",
        "3: {{id}} stands for {{$guid}}, which has no meaning here: add a line @id = … to the output",
      ],
    },
  )
})

describe("curl commands", () => {
  const check = checkWith(readCurl)
  check(
    "as documentation shows them",
    `# The latest block\ncurl https://eth-mainnet.example.com/v2/${key} \\\n  -X POST \\\n  -H "Content-Type: application/json" \\\n  -d '{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x1"}]}'\n`,
    {
      text: `# @network eth-mainnet\n\n### The latest block\neth_getLogs [{ "fromBlock": "0x1" }]\n`,
      networks: ["eth-mainnet evm https://eth-mainnet.example.com/v2/{{$secret.ETH_MAINNET_KEY}}"],
    },
  )
  check(
    "as browsers copy them",
    `curl 'http://localhost:8545/' -sS --compressed -XPOST -H 'sec-ch-ua: x' --data-raw $'{"method":"eth_x","params":["it\\'s \\u0041\\n"]}'\ncurl 'http://localhost:8545/' --data-raw $'{"method":"eth_x","params":["it\\'s \\\\u0041"]}'\n`,
    {
      text: `# @network local\n\n# curl http://localhost:8545/\n# {"method":"eth_x","params":["it's A\n# "]}\n\n### eth_x\neth_x ["it's \\u0041"]\n`,
      networks: ["local evm http://localhost:8545/"],
      problems: [
        '1: this command cannot be converted: its body is not JSON: this string is never closed; end it with " on the same line; it is kept as a comment',
      ],
    },
  )
  check(
    "with variables, files and here-documents",
    `curl "$RPC_URL" -d "{\\"method\\":\\"eth_a\\",\\"params\\":[\\"$ADDRESS\\"]}"; curl --url=localhost:1 --json @body.json\ncurl localhost:1 -d @- <<'EOF'\n{"method":"eth_c",\n "params":[]}\nEOF\n`,
    {
      text: `# @network rpc-url\n\n### eth_a\neth_a ["{{$env.ADDRESS}}"]\n\n### eth_b\n# @network local\neth_b [1]\n\n### eth_c\n# @network local\neth_c []\n`,
      networks: ["rpc-url evm {{$env.RPC_URL}}", "local evm http://localhost:1"],
    },
    { "body.json": '{"method":"eth_b","params":[1]}' },
  )
  check(
    "behind a prompt and behind variables, with keys in comments",
    `# at https://h.example.com/v3/${key}\n$ KEY=${key} curl 'https://h.example.com/v3/${key}' -H 'Pragma: no-cache' -d '{"method":"eth_a"}'\nKEY=${key}\n`,
    {
      text: "# @network h\n\n### at https://h.example.com/v3/•••\neth_a\n",
      networks: ["h evm https://h.example.com/v3/{{$secret.H_KEY}}"],
    },
  )
  check(
    "with what a call has no place for",
    `curl -u me:${key} -H 'x-api-key: ${key}' --magic localhost:1 -d '{"method":"eth_a"}' && echo $(date)\ncurl localhost:1 -d "$(cat x)"\n`,
    {
      text: `# @network local\n\n### eth_a\neth_a\n\n# curl http://localhost:1\n# $(cat x)\n`,
      networks: ["local evm http://localhost:1"],
      problems: [
        '1: -u is not imported: a key belongs in the "url" or the "headers" of the network in rpc.config.json, as a secret',
        '1: headers are not imported: x-api-key; write them in "headers" of the network in rpc.config.json, with keys as secrets',
        "1: the option --magic is not known; it is left out",
        '1: "echo" is not a curl command; it is left out',
        "2: this command cannot be converted: it contains the output of another command, which is not known without running it; it is kept as a comment",
      ],
    },
  )
})

describe("a key of a curl command is left out", () => {
  const call = `-d '{"method":"eth_a"}'`
  const check = (what: string, text: string) =>
    it(what, () => {
      const { networks, text: written } = writeRequests(
        readCurl(text, () => undefined),
        () => ({ plugin: "evm" }),
      )
      expect(networks.map(({ url }) => url).join("\n") + written).not.toContain(key)
      expect(written).toContain("eth_a")
    })
  for (const host of ["localhost:8545", "127.0.0.1", "[::1]:1", "node.localhost", "h.example.com"]) {
    check(`of the path at ${host}`, `curl http://${host}/${key} ${call}`)
    check(`of the path behind a version at ${host}`, `curl http://${host}/v3/${key}/rpc ${call}`)
    check(`of the path before a route at ${host}`, `curl http://${host}/${key}/rpc ${call}`)
    check(`of the query at ${host}`, `curl 'http://${host}/rpc?apikey=${key}' ${call}`)
    check(`of the query without a name at ${host}`, `curl 'http://${host}/rpc?${key}' ${call}`)
    check(`of the user name at ${host}`, `curl http://${key}@${host}/rpc ${call}`)
    check(`of the URL in a comment, at ${host}`, `# as http://${host}/rpc/${key}\ncurl ${host}/rpc/${key} ${call}`)
  }
  for (const [what, option] of Object.entries({
    "the header that sends it": `-H 'x-api-key: ${key}'`,
    "the header that sends it with a scheme": `-H 'authorization: Bearer ${key}'`,
    "the user name and password": `-u me:${key}`,
    "the cookie": `-b 'session=${key}; a=b'`,
    "the token": `--oauth2-bearer ${key}`,
    "the proxy": `-x http://me:${key}@proxy.example.com`,
  }))
    check(`of a comment, as of ${what}`, `# mine: ${key}\n# again ${key}.\ncurl localhost:1 ${option} ${call}`)
  check("of a comment, as of a variable", `# mine: ${key}\nNODE=${key} curl localhost:1 ${call}`)
  for (const said of [`api_key=${key}`, `Authorization: Bearer ${key}`, `"token": "${key}"`, `Bearer ${key}`])
    check(`of a comment that says ${said}`, `# with ${said}\n# and ${said}\ncurl localhost:1 ${call}`)
  check("of data that is not a call", `curl localhost:1 -d 'api_key=${key}'\ncurl localhost:1 ${call}`)

  it("and what is none stays", () => {
    const text = `# of 0x5fbdb2315678afecb367f032d93f642f64180aa3\ncurl localhost:8545/ext/bc/rpc ${call}\n`
    const { networks, text: written } = writeRequests(
      readCurl(text, () => undefined),
      () => ({ plugin: "evm" }),
    )
    expect(written).toBe("# @network local\n\n### of 0x5fbdb2315678afecb367f032d93f642f64180aa3\neth_a\n")
    expect(networks.map(({ url }) => url)).toEqual(["http://localhost:8545/ext/bc/rpc"])
  })
})

describe("curl commands of Windows", () => {
  const check = checkWith(readCurl)
  const expected = (param: string) => ({
    text: `# @network h\n\n### eth_a\neth_a ["${param}"]\n`,
    networks: ["h evm https://h.example.com/v3/{{$secret.H_KEY}}"],
  })
  check(
    "as browsers copy them",
    `curl ^"https://h.example.com/v3/${key}^" ^\r\n  -H ^"sec-ch-ua: ^\\^"Chromium^\\^"^" ^\r\n  --data-raw ^"^{^\\^"method^\\^":^\\^"eth_a^\\^",^\\^"params^\\^":^[^\\^"it's 5^% %USER% ^& more^\\^"^]^}^"\r\n`,
    expected("it's 5% {{$env.USER}} & more"),
  )
  check(
    "as people write them",
    `curl -X POST https://h.example.com/v3/${key} ^\n -d "{\\"method\\":\\"eth_a\\",\\"params\\":[\\"it's 5% %USER%\\"]}"\n`,
    expected("it's 5% {{$env.USER}}"),
  )
})

describe("golden .io files", () => {
  const check = checkWith(readIo)
  check(
    "become requests that check what was answered",
    `// eth_getLogs: filters\n\n// One block.\n// reason: none\n>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x1"}]}\n<< {"jsonrpc":"2.0","id":1,"result":[{"a":1},{"a":2}]}\n\n>> {"method":"eth_a","params":[]}\n<< {"result":{"status":"0x1","n":18446744073709551615,"logs":[1],"odd key":null,"deep":{"x":1}}}\n\n// Too long\n>> {"method":"eth_b","params":[]}\n<< {"error":{"code":-32602,"message":"no"}}\n`,
    {
      text: `# eth_getLogs: filters

### One block.
# reason: none
eth_getLogs [{ "fromBlock": "0x1" }]
?? result.length == 2

### eth_a
eth_a []
?? result.status == "0x1"
?? result.n == 18446744073709551615
?? result.logs.length == 1
?? result["odd key"] == null

### Too long
eth_b []
?? error.code == -32602
`,
    },
  )
  check(
    "keep the network that a request names, for that request alone",
    `// network: evm-l2\n>> {"method":"eth_a","params":[]}\n<< {"result":"0x1"}\n\n// A title\n// network: l2\n>> {"method":"eth_b","params":[]}\n\n>> {"method":"eth_c","params":[]}\n`,
    {
      text: `### eth_a
# @network evm-l2
eth_a []
?? result == "0x1"

### A title
# @network l2
eth_b []

### eth_c
eth_c []
`,
    },
  )
  check("tell what is not a request", `>> {"x":1}\n<< nonsense\nwords\n`, {
    text: `# >> {"x":1}\n`,
    problems: [
      '1: this request cannot be converted: its body is not JSON-RPC: expected an object with "method"; it is kept as a comment',
      "2: a response without a request; it is left out",
      "3: expected a comment (//), a request (>>) or a response (<<); it is left out",
    ],
  })
})

describe("whatever is read", () => {
  const piece = fc.constantFrom(
    "### a\n", "POST https://h.example.com/v1/k\n", "\n", '{"method":"eth_a","params":[', "]}", "@x = 1\n", "{{x}}", '"', "'", "$'", "\\",
    "curl ", "-d ", "# c\n", "# @name x\n", "# @budget 1\n", ">> ", "<< ", '{"result":1}', "$(", "<<EOF\n", "EOF\n", "\n", " ", "?? a\n", "🎈", "\r\n", "###",
  ) // prettier-ignore
  for (const [name, read] of Object.entries({ readHttp, readCurl, readIo })) {
    it(`${name} gives text without errors of syntax`, () => {
      fc.assert(
        fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
          const { text } = writeRequests(
            read(pieces.join(""), () => undefined),
            familyOf,
          )
          expect(parse(text).diagnostics.filter(isSyntaxError)).toEqual([])
        }),
        { numRuns: runs(2000) },
      )
    })
  }
})

describe("a file that a text mentions", () => {
  const marked = "Tq7mark"
  const content = fc.oneof(
    fc.constantFrom(
      `KEY=${marked}`,
      `-----BEGIN PRIVATE KEY-----\n${marked}\n-----END PRIVATE KEY-----\n`,
      `{"type":"service_account","private_key":"${marked}"}`,
      `{"method":"${marked} is not a name","params":["${marked}"]}`,
      `{"method":"eth_a","params":"${marked}"}`,
      `{"method":"eth_a","params":[]}{"${marked}":1}`,
      `[{"method":"eth_a","params":[]},{"${marked}":1}]`,
      `"${marked}"`,
      `{{$${marked}}}`,
    ),
    fc
      .tuple(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }))
      .map(([before, after]) => before + marked + after),
  )
  const call = `-d '{"method":"eth_a","params":[]}'`
  const mentions = fc.constantFrom<readonly [Read, string]>(
    [readCurl, "curl localhost:1 -d @f"],
    [readCurl, `curl localhost:1 ${call} -d @f`],
    [readCurl, `curl localhost:1 --json @f ${call}`],
    // The shell words of a call around the file's.
    [readCurl, `curl localhost:1 -d '{"method":"eth_a","params":["' -d @f -d '"]}'`],
    [readCurl, `curl localhost:1 -d '{"method":"eth_a", // ' -d @f -d '\n}'`],
    [readHttp, "###\nPOST http://localhost\n\n< f"],
    [readHttp, "###\nPOST http://localhost\n\n<@utf8 f"],
  )

  it("is copied only if it is JSON-RPC", () => {
    fc.assert(
      fc.property(mentions, content, ([read, text], file) => {
        const converted = read(text, () => file)
        const written = writeRequests(converted, familyOf)
        expect(JSON.stringify([written, converted.problems])).not.toContain(marked)
        expect(JSON.stringify(converted.problems)).toContain("in f, which")
      }),
      { numRuns: runs(500) },
    )
  })

  it("has the reason why it is not used", () => {
    const problemsOf = (file: ReturnType<ReadMentioned>) =>
      readCurl("curl localhost:1 -d @.env", () => file).problems.map(({ message }) => message)
    const withReason = (reason: string) => [
      `this command cannot be converted: its data is in .env, which ${reason}; it is kept as a comment`,
    ]
    expect(problemsOf("A=1")).toEqual(withReason("is not JSON-RPC and is not copied"))
    expect(problemsOf({ problem: "is a folder, not a file" })).toEqual(withReason("is a folder, not a file"))
    expect(problemsOf(undefined)).toEqual(withReason("cannot be read"))
  })
})

describe("shell words", () => {
  const check = (source: string, expected: ReadonlyArray<ReadonlyArray<string>>) =>
    it(JSON.stringify(source), () => expect(shellCommands(source).map(({ words }) => words)).toEqual(expected))
  check("a 'b c' \"d e\"f\\ g", [["a", "b c", "d ef g"]])
  check("a \\\n b; c | d && e", [["a", "b"], ["c"], ["d"], ["e"]])
  check("a > out.txt 2>&1 b", [["a", "b"]])
  check("a \"$X\" '$X' ${Y:-1} $", [["a", "{{$env.X}}", "$X", "{{$env.Y}}", "$"]])
  check("a $'\\x41\\u00e9\\101\\'\\n'", [["a", "AéA'\n"]])
  check("# only words\n", [])
  check("a ''", [["a", ""]])
})

describe("words of cmd.exe", () => {
  const check = (source: string, expected: ReadonlyArray<ReadonlyArray<string>>) =>
    it(JSON.stringify(source), () => expect(cmdCommands(source).map(({ words }) => words)).toEqual(expected))
  check('a "b c" d"e f"', [["a", "b c", "de f"]])
  check("a ^\r\n b\r\nc & d | e", [["a", "b"], ["c"], ["d"], ["e"]])
  check("a ^& b^^c ^\n\nd", [["a", "&", "b^c", "d"]])
  check('a \\\\"b\\" c\\d', [["a", '\\b" c\\d']])
  check('"a ^ & b"', [["a ^ & b"]])
  check("rem words\n:: more\na %X% 5%", [["a", "{{$env.X}}", "5%"]])
  check('a ""', [["a", ""]])
})

describe("no key of an address is written or shown, wherever it stands", () => {
  const call = `-d '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'`
  const check = (address: string, url: string, secret: string, problems: ReadonlyArray<string> = []) => {
    it(`in ${address}`, () => {
      for (const [read, text] of [
        [readCurl, `# at ${address}\ncurl ${call} '${address}'`],
        [readHttp, `### at ${address}\nPOST ${address}\n\n{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`],
      ] as const) {
        const converted = read(text, () => undefined)
        const { networks, text: written } = writeRequests(converted, familyOf)
        expect(networks.map((network) => network.url)).toEqual([url])
        expect(JSON.stringify([written, networks, converted.problems])).not.toContain(secret)
        expect(converted.problems.map(({ message }) => message)).toEqual(problems)
      }
    })
  }
  check("https://k3y0fth1s.provider.example/", "https://{{$secret.PROVIDER_KEY}}.provider.example/", "k3y0fth1s")
  check("https://node.provider.example/aB3/", "https://node.provider.example/aB3/", "-")
  check("https://node.provider.example/aB3d/", "https://node.provider.example/{{$secret.PROVIDER_KEY}}/", "aB3d")
  check("https://provider.example/x7Yz/rpc", "https://provider.example/{{$secret.PROVIDER_KEY}}/rpc", "x7Yz")
  check("https://provider.example/rpc?x7Yzab", "https://provider.example/rpc?{{$secret.PROVIDER_KEY}}", "x7Yzab")
  check(
    "https://provider.example/rpc?net=mainnet&k=x7%2fzab",
    "https://provider.example/rpc?net=mainnet&k={{$secret.PROVIDER_KEY}}",
    "x7%2fzab",
  )
  check(
    "https://provider.example/tenants/eth/a1b2c3",
    "https://provider.example/tenants/eth/{{$secret.PROVIDER_KEY}}",
    "a1b2c3",
    ['"tenants" stays in the URL as text: check that it is not a key'],
  )

  it("nor of curl's other options", () => {
    const converted = readCurl(
      `curl -H 's3cr3tk3y' -H 'X-Key: s3cr3tk3y' -X s3cr3tk3y --s3cr3tk3y -u a:s3cr3tk3y https://provider.example -d 'api_key=s3cr3tk3y&a=1'`,
      () => undefined,
    )
    expect(JSON.stringify([converted.problems, writeRequests(converted, familyOf)])).not.toContain("s3cr3tk3y")
  })
})

describe("no key is written or shown", () => {
  const key = "Zk9vQ2xMn4pR7tW1yB3dF6hJ"
  const address = "https://node.provider.example/rpc"
  const json = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'
  interface Source {
    readonly comment?: string | undefined
    readonly url?: string | undefined
    readonly header?: string | undefined
    readonly body?: string | undefined
  }
  const above = (mark: string, comment: string | undefined) => (comment === undefined ? "" : `${mark} ${comment}\n`)
  const post = ({ body = json, comment, header = "a: b", url = address }: Source) =>
    `###\n${above("#", comment)}POST ${url}\n${header}\n\n${body}\n`
  const writers: Readonly<Record<string, readonly [Read, (source: Source) => string]>> = {
    http: [readHttp, post],
    curl: [
      readCurl,
      ({ body = json, comment, header = "a: b", url = address }) =>
        `${above("#", comment)}curl '${url}' -H '${header}' -d '${body}'\n`,
    ],
    cast: [
      readCast,
      ({ comment, header = "a: b", url = address }) =>
        `${above("#", comment)}cast chain-id --rpc-url '${url}' --rpc-headers '${header}'\n`,
    ],
    postman: [
      readPostman,
      ({ body = json, comment = "", header = "a: b", url = address }) => {
        const [name, value] = header.split(": ")
        const request = { method: "POST", url, header: [{ key: name, value }], body: { mode: "raw", raw: body } }
        return JSON.stringify({ item: [{ name: "a", request, description: comment }] })
      },
    ],
    viem: [
      readViem,
      ({ comment, url = address }) =>
        `import { createPublicClient, http } from "viem"\nconst client = createPublicClient({ transport: http("${url}") })\n${above("//", comment)}await client.getChainId()\n`,
    ],
    io: [readIo, ({ body = json, comment }) => `${above("//", comment)}// b\n>> ${body}\n`],
  }
  const places: ReadonlyArray<Source> = [
    ...[`@token ${key}`, `my key is ${key}`, key, `@auth "${key}"`, `api-key: ${key}`, `curl -u me:${key}`].map(
      (comment) => ({ comment }),
    ),
    ...[
      `Bearer ${key}`,
      `KEY%3D${key}`,
      `@name get ${key}`,
      `at https://h.example/v3/${key}`,
      "token ab12cd34",
      "pass: ab12cd34",
    ].map((comment) => ({ comment })),
    ...["password ab12cd34", "mnemonic: ab12cd34 test test", "seed phrase is test ab12cd34"].map((comment) => ({
      comment,
    })),
    ...[`${address}/${key}`, `${address}?k=${key}`, `https://u:${key}@h.example/`, `https://${key}.h.example/`].map(
      (url) => ({ url }),
    ),
    ...[`X-Key: ${key}`, `Authorization: Bearer ${key}`, `X-${key}: 1`].map((header) => ({ header })),
    ...[`{"apiKey":"${key}"}`, `{"auth":["${key}"]}`, json.replace("[]", `[// token ${key}\n]`)].map((body) => ({
      body,
    })),
    { body: json.replace("{", `{ // token ${key}\n`) },
  ]
  for (const [tool, [read, write]] of Object.entries(writers))
    it(`of a file of ${tool}, wherever it stands`, () => {
      for (const place of places) {
        const converted = read(write(place), () => undefined)
        const all = JSON.stringify([converted.problems, writeRequests(converted, familyOf)])
        for (const each of [key, "ab12cd34"])
          expect(all.toLowerCase(), JSON.stringify(place)).not.toContain(each.toLowerCase())
      }
    })
  it("as the value of a variable of an .http file", () => {
    for (const name of ["token", "apiKey", "x"]) {
      const text = `@${name} = ${key}\n${post({ body: json.replace("[]", `["{{${name}}}"]`) })}`
      const { text: written } = writeRequests(
        readHttp(text, () => undefined),
        familyOf,
      )
      expect(written).toContain(`@${name} = $secret.${name === "apiKey" ? "API_KEY" : name.toUpperCase()}`)
    }
  })
  it("but addresses, hashes, links and names are", () => {
    const words = [
      `token 0x${"aB1c".repeat(10)} of block 0x${"1f".repeat(32)}`,
      "owner 9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
      "see https://docs.example.com/api/v2/eth-getBlockByNumber#params2",
      "uniswap-v3-pool-usdc-weth-3000, the key is in .env, 2026-11-28T17:54:59Z",
    ]
    for (const [read, write] of Object.values(writers))
      for (const comment of words) {
        const converted = read(write({ comment }), () => undefined)
        expect(writeRequests(converted, familyOf).text).toContain(comment)
      }
  })
})

describe("what is written is not much longer than what was read, whatever is repeated", () => {
  const check = (what: string, read: Read, source: string) =>
    it(what, () => {
      const { calls, problems, text } = writeRequests(
        read(source, () => undefined),
        familyOf,
      )
      expect(calls).toBe(count)
      expect(text.length).toBeLessThan(2 * source.length + count * 300)
      expect([problems, parse(text).diagnostics.filter(isSyntaxError), /\p{Cs}/u.test(text)]).toEqual([[], [], false])
    })
  const [count, long] = [1_000, `Words ${"\u{1f600}".repeat(20_000)}`]
  const call = { jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] }
  const batch = JSON.stringify(Array.from({ length: count }, () => call))
  const post = (raw: string) => ({ method: "POST", url: "https://a.example/rpc", body: { mode: "raw", raw } })
  const one = { name: "Call", request: post(JSON.stringify(call)) }
  const many = Array.from({ length: count }, () => one)
  check("the title of an .http file's batch", readHttp, `### ${long}\nPOST https://a.example/rpc\n\n${batch}\n`)
  check("the comment above curl with a batch", readCurl, `# ${long}\ncurl https://a.example/rpc --data '${batch}'\n`)
  check(
    "the name of a batch in a collection",
    readPostman,
    JSON.stringify({ item: [{ name: long, request: post(batch) }] }),
  )
  check("the name of a folder", readPostman, JSON.stringify({ item: [{ name: long, item: many }] }))
  check(
    "the name of a folder of folders",
    readPostman,
    JSON.stringify({ item: [{ name: long, item: many.map((each) => ({ name: "Folder", item: [each] })) }] }),
  )
})
