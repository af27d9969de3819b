/**
 * `pnpm --filter @dotrpc/peers pictures`, after a build: runs the suite of forge under the meter, prints the bill, and draws it as a terminal
 * shows it into `docs/images`.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startAnvil } from "./AnvilNode.ts"
import { startChild } from "./Child.ts"
import { finished, startDotrpc } from "./Dotrpc.ts"
import { deployLedger } from "./Ledger.ts"
import { suites } from "./Suites.ts"

// oxlint-disable-next-line no-control-regex -- what a terminal takes for a style
const styles = /\u001b\[([0-9;]*)m/g
const images = join(import.meta.dirname, "../../../docs/images")
const written = mkdtempSync(join(tmpdir(), "dotrpc-bill-"))
const anvil = await startAnvil()
try {
  const { address } = await deployLedger(anvil.url, "anvil")
  const { forge } = suites(address, written)
  const env = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "" }
  // The first run compiles.
  await startChild(forge[0] ?? "", forge.slice(1), { env: { ...env, ETH_RPC_URL: anvil.url } }).ended
  const flags = ["meter", "--url", anvil.url, "--prices", "infura,alchemy,quicknode", "--", ...forge]
  const { stderr } = await finished(startDotrpc(flags, { ...env, NO_COLOR: "", FORCE_COLOR: "1" }, written), {})
  const prompt = "$ dotrpc meter --url $NODE --prices infura,alchemy,quicknode -- forge test"
  const lines = [prompt, ...stderr.trimEnd().split("\n")]
  process.stdout.write(`${lines.map((line) => textOf(line)).join("\n")}\n`)
  for (const [theme, colors] of Object.entries(themes()))
    writeFileSync(join(images, `bill-${theme}.svg`), drawn(lines, colors))
} finally {
  await anvil.stop()
  rmSync(written, { recursive: true, force: true })
}

interface Theme {
  readonly ground: string
  readonly text: string
  readonly dim: string
}

function themes(): Readonly<Record<"dark" | "light", Theme>> {
  return {
    dark: { ground: "#1f2328", text: "#e6edf3", dim: "#9198a1" },
    light: { ground: "#f6f8fa", text: "#1f2328", dim: "#59636e" },
  }
}

/** A line without its styles. */
function textOf(line: string): string {
  return line.replace(styles, "")
}

/** The lines as a terminal shows them, in bold and dim as the command has it. */
function drawn(lines: ReadonlyArray<string>, { dim, ground, text }: Theme): string {
  const [wide, high, gap] = [8.4, 19, 16]
  const width = Math.max(...lines.map((line) => textOf(line).length)) * wide + 2 * gap
  const height = lines.length * high + 2 * gap
  const rows = lines.map((line, row) => {
    let [isBold, isDim] = [false, false]
    const parts = line.split(styles).map((part, at) => {
      // A style follows each text.
      if (at % 2 === 0)
        return `<tspan${isBold ? ' font-weight="bold"' : ""}${isDim ? ` fill="${dim}"` : ""}>${escaped(part)}</tspan>`
      if (part === "1") isBold = true
      if (part === "2") isDim = true
      if (part === "22" || part === "0") isBold = isDim = false
      return ""
    })
    const y = gap + (row + 0.75) * high
    return `<text x="${gap}" y="${y}" textLength="${(textOf(line).length * wide).toFixed(1)}" xml:space="preserve">${parts.join("")}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="${text}">
<rect width="100%" height="100%" rx="6" fill="${ground}"/>
${rows.join("\n")}
</svg>
`
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}
