/** Projects that are made to hang or overflow anyone who opens them. Made in the folder that is given, of Linux or macOS. */
import { execFileSync } from "node:child_process"
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { hostileNames } from "./hostileNames.ts"
import { importBombs } from "./importBombs.ts"

export interface FolderBomb {
  /** Also the name of its folder. */
  readonly name: string
  /** Makes it in an empty folder. Afterwards there is a `main.rpc`, which may not be a regular file. */
  readonly make: (folder: string) => void
}

const plain = "###\neth_getLogs {}\n"

/** Writes files by their paths; `main.rpc` is one that is well, unless it is among them. */
const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries({ "main.rpc": plain, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** A project with this configuration. */
const configured = (name: string, config: () => string): FolderBomb => ({
  name,
  make: (folder) => write(folder, { "rpc.config.json": config() }),
})

const json = (value: unknown): string => JSON.stringify(value)

/** What a path may lead to instead of a regular file. */
const strange: Readonly<Record<string, (path: string) => void>> = {
  pipe: (path) => execFileSync("mkfifo", [path]),
  zero: (path) => symlinkSync("/dev/zero", path),
  loop: (path) => symlinkSync(path, path),
  folder: (path) => mkdirSync(path),
  vast: (path) => {
    writeFileSync(path, "")
    truncateSync(path, 5e9)
  },
}

/** Everything that a project reads, as a strange file. */
const inPlaceOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "main.rpc": {},
  "rpc.config.json": { "main.rpc": plain },
  ".env": { "main.rpc": plain, "rpc.config.json": "{}" },
  "imported.rpc": { "main.rpc": `# @import ./imported.rpc\n${plain}` },
  "abi.json": {
    "main.rpc": `###\n# @abi ./abi.json\neth_getLogs {}\n`,
    "rpc.config.json": json({ abi: ["./abi.json", "./*.json"] }),
  },
  "main.rpc.snap": { "main.rpc": plain },
}

export const folderBombs: ReadonlyArray<FolderBomb> = [
  ...Object.entries(strange).flatMap(([what, make]) =>
    Object.entries(inPlaceOf).map(([path, files]): FolderBomb => ({
      name: `${what}-as-${path}`,
      make: (folder) => {
        if (path !== "main.rpc") write(folder, files)
        make(join(folder, path))
      },
    })),
  ),
  configured("config-nested", () => '{"a":'.repeat(100_000)),
  configured("config-of-brackets", () => "[".repeat(100_000) + "]".repeat(100_000)),
  configured("config-of-comments", () => "/*".repeat(100_000)),
  configured("config-of-networks", () =>
    json({
      networks: Object.fromEntries(
        Array.from({ length: 20_000 }, (_, index) => [`n${index}`, { plugin: "evm", url: "embedded:evm" }]),
      ),
    }),
  ),
  configured("config-of-wrong-networks", () =>
    json({
      networks: Object.fromEntries(
        Array.from({ length: 20_000 }, (_, index) => [`n${index}`, { plugni: "evm", url: 1 }]),
      ),
    }),
  ),
  configured("config-of-environments", () =>
    json({
      environments: Object.fromEntries(
        Array.from({ length: 5_000 }, (_, index) => [`e${index}`, { networks: { evm: {} }, vars: {} }]),
      ),
    }),
  ),
  configured("config-of-names", () => {
    const each = (value: unknown) => `{${hostileNames.map((name) => `${json(name)}:${json(value)}`).join(",")}}`
    return `{"networks":${each({ plugin: "constructor", preset: "toString" })},"environments":${each({ vars: {} })},"plugins":${json(hostileNames)},"abi":${json(hostileNames)},"__proto__":{"ledger":"x"}}`
  }),
  configured("config-of-wrong-types", () =>
    json({ plugins: {}, abi: 1, networks: [], environments: "x", limits: [], ledger: {} }),
  ),
  configured("config-of-plugins", () =>
    json({ plugins: Array.from({ length: 5_000 }, (_, index) => `./missing${index}.js`) }),
  ),
  configured("config-of-abi-patterns", () =>
    json({ abi: Array.from({ length: 1_000 }, () => `./${"*a".repeat(100)}*b`) }),
  ),
  configured("config-of-strange-abis", () =>
    json({
      abi: [
        "//127.0.0.1/x.json",
        "\\\\127.0.0.1\\x.json",
        "file://127.0.0.1/x",
        "http://127.0.0.1:1/x",
        "/dev/zero",
        "..",
        "/",
        "",
        "*",
        "\u0000",
        "%",
      ],
    }),
  ),
  configured("config-of-a-long-line", () => json({ $schema: "x".repeat(1_000_000) })),
  configured("config-of-templates", () =>
    json({ networks: { evm: { plugin: "evm", url: "{{$secret.A}}".repeat(20_000) } } }),
  ),
  configured("config-of-open-templates", () =>
    json({ networks: { evm: { plugin: "evm", url: `http://x/${"{{ ".repeat(50_000)}` } } }),
  ),
  {
    name: "abi-nested",
    make: (folder) =>
      write(folder, {
        "abi.json": "[".repeat(100_000),
        "objects.json": '{"abi":'.repeat(20_000) + "[]" + "}".repeat(20_000),
        "tuple.json": `[{"type":"event","name":"E","inputs":[${'{"name":"a","type":"tuple","components":['.repeat(2_000)}{"name":"a","type":"uint256"}${"]}".repeat(2_000)}]}]`,
        "rpc.config.json": json({ abi: ["./abi.json", "./objects.json", "./tuple.json"] }),
      }),
  },
  {
    name: "abi-of-events",
    make: (folder) =>
      write(folder, {
        "abi.json": json(
          Array.from({ length: 20_000 }, (_, index) => ({ type: "event", name: `E${index}`, inputs: [] })),
        ),
        "rpc.config.json": json({ abi: ["./abi.json"] }),
      }),
  },
  {
    name: "env-of-lines",
    make: (folder) =>
      write(folder, {
        "rpc.config.json": "{}",
        ".env": `${"A=$A$A\n".repeat(20_000)}${"B='".repeat(20_000)}${"=".repeat(20_000)}${" ".repeat(100_000)}`,
      }),
  },
  {
    name: "import-chain",
    make: (folder) =>
      write(folder, {
        "main.rpc": `# @import ./f0.rpc\n${plain}`,
        ...Object.fromEntries(
          Array.from({ length: 2_000 }, (_, index) => [
            `f${index}.rpc`,
            `# @import ./f${index + 1}.rpc\n@a${index} = 1\n`,
          ]),
        ),
      }),
  },
  {
    name: "import-fan",
    make: (folder) => {
      const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
      write(folder, {
        "main.rpc": `${numbers(10_000)
          .map((index) => `# @import ./f${index}.rpc\n`)
          .join("")}${plain}`,
        "hub.rpc": numbers(20)
          .map((index) => `# @import ./g${index}.rpc\n`)
          .join(""),
        ...Object.fromEntries(numbers(20).map((index) => [`g${index}.rpc`, `@g${index} = 1\n`])),
        ...Object.fromEntries(numbers(10_000).map((index) => [`f${index}.rpc`, "# @import ./hub.rpc\n"])),
      })
    },
  },
  {
    name: "import-diamonds",
    make: (folder) => {
      const all = (layer: number) =>
        Array.from({ length: 9 }, (_, index) => `# @import ./l${layer}-${index}.rpc\n`).join("")
      write(folder, {
        "main.rpc": `${all(0)}${plain}`,
        ...Object.fromEntries(
          Array.from({ length: 9 * 20 }, (_, index) => {
            const layer = Math.floor(index / 9)
            return [`l${layer}-${index % 9}.rpc`, `${layer === 19 ? "" : all(layer + 1)}@a = {{a}}\n`]
          }),
        ),
      })
    },
  },
  {
    name: "import-cycles",
    make: (folder) => {
      const all = Array.from({ length: 60 }, (_, index) => `# @import ./f${index}.rpc\n`).join("")
      write(folder, {
        "main.rpc": `${all}${plain}`,
        ...Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`f${index}.rpc`, `${all}@a = {{a}}\n`])),
      })
    },
  },
  {
    name: "import-doubles",
    make: (folder) =>
      write(folder, {
        "main.rpc": `# @import ./f0.rpc\n### x\neth_getStorageAt ["{{a}}", "latest"]\n`,
        ...Object.fromEntries(
          Array.from({ length: 40 }, (_, index) => [
            `f${index}.rpc`,
            `# @import ./f${index + 1}.rpc\n@a = "{{a}}{{a}}"\n@b = "{{a}}{{a}}"\n`,
          ]),
        ),
        "f40.rpc": '@a = "x"\n',
      }),
  },
  ...importBombs.map(({ files, name }): FolderBomb => ({ name, make: (folder) => write(folder, files()) })),
  {
    name: "link-up",
    make: (folder) => {
      write(folder, {})
      symlinkSync(folder, join(folder, "again"))
      symlinkSync("/", join(folder, "root"))
    },
  },
  {
    name: "markdown",
    make: (folder) =>
      write(folder, {
        "fences.md": "```rpc\n###\neth_getLogs {}\n```\n".repeat(5_000),
        "open.md": "```rpc\n".repeat(20_000),
        "ticks.md": "`".repeat(200_000),
        "lists.md": "> - ".repeat(20_000),
        "indented.md": `${" ".repeat(100_000)}\`\`\`rpc\n`,
      }),
  },
]
