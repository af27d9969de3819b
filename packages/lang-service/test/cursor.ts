/** Documents for the tests: `|` is the cursor, a second `|` ends a selection. */
import { analyze, makeWorkspace, type ProjectConfig } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import { lineIndex, type Position, positionAt } from "@dotrpc/lang/locate"
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import type { Json } from "@dotrpc/spec"
import type { AnalysedText, TextChange } from "../src/index.ts"

/** A secret's value that no answer may hold. */
export const canary = "canary-93b1f02c77"

const config: ProjectConfig = {
  env: ["REGION"],
  networks: {
    evm: {
      plugin: "evm",
      url: "embedded:evm",
      labels: { "0x90F79bf6EB2c4f870365E785982E1f101E93b906": "Fees [x](https://evil.example)" },
    },
    "evm-l2": {
      plugin: "evm",
      url: "embedded:evm-l2",
      blockTags: ["latest", "earliest", "pending", "finalized"],
      credits: { eth_getLogs: 300 },
    },
    keyed: { plugin: "evm", url: "https://evm.example/v3/{{$secret.API_KEY}}" },
    accounts: { plugin: "token-accounts", url: "embedded:accounts" },
    l2: {
      plugin: "l2-events",
      url: "embedded:l2",
      labels: { "0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d": "Vault" },
    },
  },
  environments: { staging: { vars: { chunk: 50 } } },
}

const { workspace } = makeWorkspace({
  plugins: [Evm.plugin, TokenAccounts.plugin, L2Events.plugin],
  config,
  environment: "staging",
  env: (name) => ({ REGION: "north" })[name],
  secret: (name) => ({ API_KEY: canary })[name],
  now: 1_700_000_000_000,
})

export const open = (text: string, results: Readonly<Record<string, Json.Json>> = {}): AnalysedText => ({
  analysis: analyze(parse(text), workspace),
  lines: lineIndex(text),
  results: new Map(Object.entries(results)),
  known: { secrets: ["API_KEY"], env: ["REGION"], environments: ["staging", "production"] },
})

export interface Opened {
  readonly document: AnalysedText
  readonly text: string
  readonly position: Position
  /** The same as `position` without a second cursor. */
  readonly end: Position
}

/** Only a lone `|` is a cursor: `||` is an operator. */
export const openAt = (marked: string, results: Readonly<Record<string, Json.Json>> = {}): Opened => {
  const [before = "", ...rest] = marked.split(/(?<!\|)\|(?!\|)/)
  const text = before + rest.join("")
  const end = rest.length > 1 ? before.length + (rest[0] ?? "").length : before.length
  return {
    document: open(text, results),
    text,
    position: positionAt(text, before.length),
    end: positionAt(text, end),
  }
}

/** The text with all changes made, last first. */
export const apply = (document: Pick<AnalysedText, "lines">, changes: ReadonlyArray<TextChange>): string => {
  const { text } = document.lines
  const offset = ({ line, character }: Position) => (document.lines.starts[line] ?? 0) + character
  return changes
    .toSorted((left, right) => offset(right.range.start) - offset(left.range.start))
    .reduce(
      (current, { range, text: inserted }) =>
        current.slice(0, offset(range.start)) + inserted + current.slice(offset(range.end)),
      text,
    )
}
