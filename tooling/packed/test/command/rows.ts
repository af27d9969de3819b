/** What is tried of every command: the least that shows that all of its parts were loaded and did their work. */
import { isDeep } from "@dotrpc/vitest/depth"

/** How the command ends. */
export interface End {
  /** 0 where it is not said. */
  readonly code?: number | undefined
  readonly stdout?: RegExp | undefined
  readonly stderr?: RegExp | undefined
}

/** One start of the command. */
export interface Step extends End {
  readonly args: ReadonlyArray<string>
  /** What differs on the oldest Node, which has no SQLite. */
  readonly onOldest?: End | undefined
  /** Whether the newest Node is enough: the other steps of the row show that its parts are loaded. */
  readonly isMore?: true | undefined
  /** Whether it differs from another row in the text alone: in a landing the newest Node is enough. */
  readonly isVariant?: true | undefined
}

/** Steps in one folder; a Node for which none is left leaves the row out. */
export interface Row {
  readonly files?: Readonly<Record<string, string>> | undefined
  readonly steps: ReadonlyArray<Step>
}

/** The steps of a row on a version of Node. */
export const stepsOn = (age: "oldest" | "newest" | "other", { steps }: Row): ReadonlyArray<Step> =>
  steps
    .filter(({ isMore, isVariant }) => age === "newest" || (isMore !== true && (isVariant !== true || isDeep)))
    .map((step) => (age === "oldest" ? { ...step, ...step.onOldest } : step))

const config = (more: object = {}): string =>
  JSON.stringify({
    networks: {
      evm: { plugin: "evm", url: "embedded:evm", prices: "quicknode" },
      solana: { plugin: "token-accounts", url: "https://solana.example" },
    },
    ...more,
  })

/** Files of every row. */
export const project = {
  "rpc.config.json": config(),
  "logs.rpc": `### Logs
# @name logs
eth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x2" }]
?? result.length == 12
`,
}

const range = '[{"fromBlock":"0x0","toBlock":"0x3"}]'
const logsCall = '{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{}]}'
const one = (args: ReadonlyArray<string>, step: Omit<Step, "args">, files: Row["files"] = {}): Row => ({
  files,
  steps: [{ args, ...step }],
})

/** Of commands that differ in the text that they read or write, every Node runs the first one. */
const isVariantOf = (first: string, name: string): true | undefined => (name === first ? undefined : true)

const formats: Readonly<Record<string, RegExp>> = {
  pretty: /^ {2}12 logs · [^]*\n1 ok · 1 of 1 checks passed\n/m,
  json: /^\{\n {2}"version": 1,\n {2}"ok": true,/,
  ndjson: /^\{"file":"logs\.rpc","name":"logs",[^\n]*"status":"ok"[^\n]*\}\n$/,
  junit: /<testsuite name="logs\.rpc" tests="2" failures="0" errors="0" skipped="0" /,
}

const tap = /^TAP version 14\n1\.\.2\nok 1 - logs\.rpc: logs \(12 logs [^]*\nok 2 - /

const targets: Readonly<Record<string, RegExp>> = {
  curl: /^curl -s "http:\/\/127\.0\.0\.1:8645\/evm\/v3\/local" /m,
  cast: /^ {2}--raw eth_getLogs '\[\{"fromBlock":"0x1","toBlock":"0x2"\}\]'$/m,
  viem: /^import \{ createPublicClient, http \} from "viem"$/m,
  ethers: /^import \{ FetchRequest, JsonRpcProvider \} from "ethers"$/m,
  kit: /^import \{ createSolanaRpc \} from "@solana\/kit"$/m,
  http: /^POST http:\/\/127\.0\.0\.1:8645\/evm\/v3\/local$/m,
}

const accounts = `### Accounts
getTokenAccountsByDelegate ["4Nd1mYQzvgV8Vr3Z3nYb7pD6T8K2jF2eqWxY1S3Qh5Ro", { "mint": "4uZXM4HhPGUe2M8j7w8f67DSBSutrPgUT8PhNTRxiSuF" }]
`

/** By what is imported: the file, and a line of what is made of it. */
const sources: Readonly<Record<string, readonly [name: string, text: string, made: RegExp]>> = {
  http: ["a.http", `POST https://evm.example/rpc\n\n${logsCall}\n`, /^eth_getLogs \[\{\}\]$/m],
  curl: ["a.sh", `curl https://evm.example/rpc -d '${logsCall}'\n`, /^eth_getLogs \[\{\}\]$/m],
  cast: ["a.sh", "cast block 7 --rpc-url https://evm.example/rpc\n", /^eth_getBlockByNumber \["0x7", false\]$/m],
  postman: [
    "a.json",
    JSON.stringify({
      info: { name: "A", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
      item: [
        {
          name: "Logs",
          request: { method: "POST", url: "https://evm.example/rpc", body: { mode: "raw", raw: logsCall } },
        },
      ],
    }),
    /^eth_getLogs \[\{\}\]$/m,
  ],
  viem: [
    "a.ts",
    `import { createPublicClient, http } from "viem"
const client = createPublicClient({ transport: http("https://evm.example/rpc") })
await client.getBlock({ blockNumber: 7n })
`,
    /^eth_getBlockByNumber \["0x7", false\]$/m,
  ],
  io: [
    "a.io",
    '>> {"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}\n<< {"jsonrpc":"2.0","id":1,"result":"0x7"}\n',
    /^\?\? result == "0x7"$/m,
  ],
}

const openRpc = JSON.stringify({
  openrpc: "1.2.6",
  info: { title: "Lamps", version: "1.0.0" },
  methods: [
    {
      name: "lamp_read",
      params: [{ name: "id", required: true, schema: { type: "string" } }],
      result: { name: "light", schema: { type: "integer" } },
    },
  ],
})

const lamp = 'export default { id: "lamp", title: "Lamp", docs: "Lamps.", methods: [], functions: [], networks: [] }\n'

const noSqlite =
  /SQLite, which needs Node 22\.13 or newer, and this is v20\.\d+\.\d+: update Node, or add --store postgres:/
const moreOfBackfill = (command: string, code: number, stderr: RegExp): Step => ({
  args: ["backfill", command, "--output", "parts"],
  code,
  stderr,
  isMore: true,
})

/** By sentences about what a stranger does. */
export const rows: Readonly<Record<string, Row>> = {
  "asks for help": one(["--help"], { stdout: /^SUBCOMMANDS\n {2}init [^]*\n {2}run /m }),
  ...Object.fromEntries(
    Object.entries(formats).map(([format, stdout]) => [
      `runs a file, with a report in ${format}`,
      one(["run", "logs.rpc", "--format", format], { stdout, isVariant: isVariantOf("pretty", format) }),
    ]),
  ),
  "makes a call": one(["call", "eth_getBlockByNumber", "0x1", "false", "--network", "evm"], { stdout: /block 1 · / }),
  "meters a command": one(
    ["meter", "--network", "evm", "--", "node", "ask.mjs"],
    { stdout: /^0x7a69\n$/, stderr: /eth_chainId[^]*1/ },
    {
      "ask.mjs": `const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] })
const headers = { "content-type": "application/json" }
const reply = await fetch(process.env.RPC_URL, { method: "POST", headers, body })
console.log((await reply.json()).result)
`,
    },
  ),
  "meters a command that is not there": one(["meter", "--network", "evm", "--", "./no-such-command"], {
    code: 2,
    stderr: /"\.\/no-such-command" cannot be started: there is no such command; nothing was sent or spent\n$/,
    isMore: true,
  }),
  "prices a file at every network": one(["where", "logs.rpc"], { stdout: /\bevm\b/ }),
  "asks about an endpoint that is not there": one(["probe", "http://127.0.0.1:1/"], {
    code: 3,
    stdout: /unknown/,
  }),
  "compares prices where there is no repository": one(["cost"], {
    code: 2,
    stderr: /^dotrpc: this folder is not in a git repository that git can read: run dotrpc cost in one\n$/,
  }),
  "checks a file": one(["check", "logs.rpc"], { stdout: /^1 file, 0 errors, 0 warnings\n$/ }),
  "asks for a code": one(["explain", "A101"], { stdout: /^A101 error: unknown method\n/ }),
  "formats a file": one(
    ["fmt", "a.rpc"],
    { stdout: /^1 file, 1 formatted$/m },
    { "a.rpc": "###\neth_getLogs   [ {} ]\n" },
  ),
  "scans a range": one(["scan", "eth_getLogs", range], {
    stdout: /^(\{"removed":false,[^\n]*\}\n){21}$/,
    stderr: /^21 items of blocks 0–3 /m,
  }),
  "backfills a range": {
    steps: [
      {
        args: ["backfill", "start", "eth_getLogs", range, "--network", "evm", "--output", "parts"],
        stdout: /^\w{12}\n$/,
        stderr: /^done: 4 of 4 blocks · 21 rows in 1 part/m,
        onOldest: { code: 2, stdout: /^$/, stderr: noSqlite },
      },
      {
        args: ["backfill", "status", "--output", "parts"],
        stdout: /^ {2}done · 4 of 4 blocks · 21 rows in 1 part/m,
        onOldest: { code: 2, stdout: /^$/, stderr: /^dotrpc: parts has no backfill: / },
      },
      moreOfBackfill("worker", 0, /^done: 4 of 4 blocks/m),
      moreOfBackfill("pause", 2, /^dotrpc: \w+ is done: nothing to pause$/m),
      moreOfBackfill("resume", 2, /^dotrpc: \w+ is done: nothing to resume$/m),
      moreOfBackfill("cancel", 2, /^dotrpc: \w+ is done: nothing to cancel$/m),
    ],
  },
  "queries a file without DuckDB": one(
    ["query", "select 1", "a.csv"],
    { code: 2, stderr: /^dotrpc: queries need DuckDB,/ },
    { "a.csv": "a\n1\n" },
  ),
  "sets what was spent, and looks": {
    files: { "rpc.config.json": config({ ledger: "file" }) },
    steps: [
      {
        args: ["credits", "set", "100"],
        stdout: /^100 credits spent today\n$/,
      },
      {
        args: ["credits"],
        stdout: /^[\d,]+ of 3,000,000 credits left /m,
      },
    ],
  },
  "begins a project": {
    steps: [{ args: ["init", "--yes"], code: 2, stderr: /^dotrpc: rpc\.config\.json is there already/ }],
  },
  "looks at networks": one(["networks"], { stdout: /^ {4}evm +evm +inside dotrpc +QuickNode/m }),
  "looks for a method": one(["methods", "getlogs"], { stdout: /^ {4}eth_getLogs +/m }),
  "asks what is wrong": one(["doctor"], { stdout: /^✓ configuration +rpc\.config\.json\n/m }),
  "looks at prices": one(["prices"], { stdout: /^ {4}alchemy +Alchemy +CU /m }),
  "reconciles a usage export": one(
    ["reconcile", "usage.csv", "--prices", "quicknode"],
    { stdout: /^ {4}eth_getLogs +\? +0 +\?$/m },
    { "rpc.config.json": config({ ledger: "file" }), "usage.csv": "method,calls\neth_getLogs,1\n" },
  ),
  "trusts a plugin, and runs a file with it, with a report in tap": {
    files: {
      "lamp.mjs": lamp,
      "rpc.config.json": config({ plugins: ["@dotrpc/plugin-evm", "@dotrpc/plugin-token-accounts", "./lamp.mjs"] }),
    },
    steps: [
      { args: ["trust"], stdout: /^trusted: .*\n {2}\.\/lamp\.mjs\n {2}1 file, sha256 / },
      { args: ["run", "logs.rpc", "--format", "tap"], stdout: tap },
    ],
  },
  "makes a plugin": one(["new", "plugin", "lamp"], { stdout: /^lamp\/package\.json$/m }),
  "imports an OpenRPC document": one(
    ["import", "openrpc", "lamps.json"],
    { stdout: /^lamps: 1 method, / },
    { "lamps.json": openRpc },
  ),
  ...Object.fromEntries(
    Object.entries(sources).map(([source, [file, text, stdout]]) => [
      `imports from ${source}`,
      one(
        ["import", source, file],
        { stdout, stderr: new RegExp(`^1 request from ${file}$`, "m"), isVariant: isVariantOf("viem", source) },
        { [file]: text },
      ),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(targets).map(([target, stdout]) => {
      const file = target === "kit" ? "accounts.rpc" : "logs.rpc"
      return [
        `exports to ${target}`,
        one(
          ["export", target, file],
          { stdout, stderr: /^1 request from /, isVariant: isVariantOf("curl", target) },
          { "accounts.rpc": accounts },
        ),
      ]
    }),
  ),
}
