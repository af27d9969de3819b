/** Large files that name each other: each of them is one that an editor analyses, and all that is between them is made of their names. */

export interface ImportBomb {
  readonly name: string
  /** The texts of files by their names; `main.rpc` imports the others. */
  readonly files: () => Readonly<Record<string, string>>
}

/** As many as an editor analyses of one file, within its limits of characters. */
const many = 8_000

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `${line(index)}\n`).join("")

const importing = "# @import ./other.rpc\n"
const named = (index: number): string => `###\n# @name r${index}`
/** A request for each of the other file, in the opposite order. */
const naming = lines(many, (index) => `###\n# @ref r${many - 1 - index}\neth_getLogs {}`)

export const importBombs: ReadonlyArray<ImportBomb> = [
  {
    name: "import-of-requests",
    files: () => ({
      "main.rpc": importing + naming,
      "other.rpc": lines(many, (index) => `${named(index)}\neth_getLogs {}`),
    }),
  },
  {
    name: "import-of-broken-requests",
    files: () => ({
      "main.rpc": importing + naming,
      "other.rpc": lines(many, (index) => `${named(index)}\nnone []`),
    }),
  },
  {
    name: "import-of-a-chain-of-requests",
    files: () => ({
      "main.rpc": importing + naming,
      "other.rpc": lines(
        many,
        (index) => `${named(index)}\n${index === 0 ? "" : `# @ref r${index - 1}\n`}eth_getLogs {}`,
      ),
    }),
  },
  {
    name: "import-of-results",
    files: () => ({
      "main.rpc": importing + lines(many, (index) => `###\neth_getLogs {{r${index}.result}}\n?? r${index}.result[0]`),
      "other.rpc": lines(many, (index) => `${named(index)}\neth_getLogs {}`),
    }),
  },
  {
    name: "import-of-one-request",
    files: () => ({
      "main.rpc": importing + lines(many, () => "###\neth_getLogs {{shared.result}}"),
      "other.rpc": `###\n# @name shared\neth_getLogs {}\n${lines(many, () => "###\neth_getLogs {{shared.result}}")}`,
    }),
  },
  {
    name: "import-of-variables-of-a-broken-file",
    files: () => ({
      "main.rpc": `${importing}###\neth_getLogs [${Array.from({ length: 1_000 }, (_, index) => `{{v${index}}}`).join(", ")}]\n`,
      "other.rpc": lines(1_000, (index) => `@v${index} = ${index}`) + lines(9_000, () => "###\neth_getLogs [}"),
    }),
  },
  {
    name: "import-in-both-directions",
    files: () => ({
      "main.rpc": importing + lines(many, (index) => `${named(index)}\n# @ref o${index}\neth_getLogs {}`),
      "other.rpc": `# @import ./main.rpc\n${lines(many, (index) => `###\n# @name o${index}\n# @ref r${index}\neth_getLogs {}`)}`,
    }),
  },
]
