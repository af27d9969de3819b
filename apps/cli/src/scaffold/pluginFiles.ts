/**
 * A new plugin with one method, which works as it is: `eth_blockNumber`, answered by the gateway inside dotrpc. Its author
 * replaces it, one line after the other.
 */
import { type Files, json, packageFiles } from "./packageFiles.ts"
import type { PluginName } from "./PluginName.ts"

export const pluginFiles = (name: PluginName, local: boolean): Files => ({
  ...packageFiles(name, `The dotrpc plugin ${name.id}`, local),
  "README.md": readme(name),
  "rpc.config.json": json({
    plugins: ["./dist/index.js"],
    networks: { [name.id]: { plugin: name.id, url: "embedded:evm" } },
    ledger: "memory",
  }),
  "example.rpc": `# Run this file:  npm start
# @network ${name.id}

### The number of the newest block
# @name newest
eth_blockNumber []
?? result > 0x0
`,
  "src/index.ts": `/** The dotrpc plugin ${name.id}. */
export { blockNumber } from "./blockNumber.ts"
export { plugin, plugin as default } from "./plugin.ts"
`,
  "src/plugin.ts": `/** The plugin, as one value. */
import { definePlugin } from "@dotrpc/spec"
import { blockNumber } from "./blockNumber.ts"

export const plugin = definePlugin({
  id: "${name.id}",
  title: "${titleOf(name.id)}",
  docs: "What this family of methods is about, in one paragraph of Markdown.",
  methods: [blockNumber],
})
`,
  "src/blockNumber.ts": `/** \`eth_blockNumber\`. */
import { defineMethod, Price } from "@dotrpc/spec"
import { Schema } from "effect"

const Quantity = Schema.String.check(Schema.isPattern(/^0x[0-9a-f]{1,64}$/)).annotate({ expected: "a number in hex" })

export const blockNumber = defineMethod({
  plugin: "${name.id}",
  name: "eth_blockNumber",
  summary: "The number of the newest block",
  docs: "Takes no params. The result is a number in hex, such as \`0x3e7\`.",
  // What may be sent: Schema.Tuple([…]) for params by position, Schema.Struct({…}) for params by name.
  params: Schema.Tuple([]),
  // What comes back. It is checked and never changed: members it does not name are still there.
  result: Quantity,
  // Price.published(80) once the provider says so: until then it is shown as an assumption.
  price: Price.assumed(80),
  // May it be sent again after a failure?
  idempotent: true,
  examples: [{ title: "The newest block", params: [] }],
  render: (number) => ({ total: 1, columns: [], rows: [], headline: \`block \${BigInt(number)}\` }),
})
`,
  "test/plugin.test.ts": `import { describePlugin } from "@dotrpc/plugin-kit/vitest"
import { expect, test } from "vitest"
import { blockNumber, plugin } from "../src/index.ts"

describePlugin(plugin, { goldens: new URL("io/", import.meta.url) })

test("a block number is rendered in decimal", () => {
  expect(blockNumber.render("0x3e7", 10).headline).toBe("block 999")
})
`,
  "test/io/eth_blockNumber.io": `// Requests and the replies they got, as they were on the wire.

// The newest block of the sample chain.
>> {"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"0x3e7"}
`,
})

const titleOf = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1).replaceAll("-", " ")

const readme = ({ id, packageName }: PluginName): string => `# ${packageName}

The dotrpc plugin \`${id}\`.

\`\`\`sh
npm install
npm test         # the conformance checks, the golden files in test/io, and tests of your own
npm start        # builds, then runs example.rpc
\`\`\`

To use it in a project, name it in \`rpc.config.json\`, as a package or by its path:

\`\`\`json
{ "plugins": ["${packageName}"], "networks": { "${id}": { "plugin": "${id}", "url": "https://HOST/PATH" } } }
\`\`\`

What to change first: the method in \`src/blockNumber.ts\`, the exchange in \`test/io\`, and the \`url\` in \`rpc.config.json\`.
`
