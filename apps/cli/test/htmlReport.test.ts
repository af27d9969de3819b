/** `--format html`: one page that loads nothing, and in which no text of others is markup. */
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { removeFolders, temporaryFolder } from "./folders.ts"

afterAll(removeFolders)

const hostile = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`
const requests = `### Logs ${hostile}
eth_getLogs [{ "fromBlock": "0x0", "toBlock": "0xff" }]
?? result.length == 1

### Chain
eth_chainId
?? result == 0x539 || "${hostile.replaceAll('"', "'")}" == 1
`

const pageOf = async (...args: ReadonlyArray<string>) => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, "rpc.config.json"), '{ "networks": { "evm": { "plugin": "evm", "url": "embedded:evm" } } }')
  writeFileSync(join(cwd, "a.rpc"), requests)
  const { code } = await startAt({ cwd }, "run", "a.rpc", "--output", "report.html", ...args).outcome
  return { code, page: readFileSync(join(cwd, "report.html"), "utf8") }
}

describe("a page", () => {
  it("has prices, checks, every row and a chart", async () => {
    const { code, page } = await pageOf()
    expect(code).toBe(1)
    expect(page).toMatch(/<p>[\d,~]+ credits spent, ~?\d+ credits estimated, [\d,]+ credits left<\/p>/)
    expect(page).toContain("✗ result.length == 1, actual ")
    const rows = page.match(/<tr><td/g)?.length ?? 0
    expect(rows).toBeGreaterThan(100)
    expect(page).toMatch(/<svg [^>]*aria-label="rows per block: \d+ points, most /)
    expect((await pageOf("--rows", "7")).page.match(/<tr><td/g)?.length).toBe(7)
  })
  it("has no script, and a policy that allows its style alone", async () => {
    const { page } = await pageOf()
    const style = /<style>([^]*?)<\/style>/.exec(page)?.[1] ?? ""
    const hash = createHash("sha256").update(style).digest("base64")
    expect(page).toContain(
      `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
    )
    const markup = page.replace(/"[^"]*"/g, '""')
    expect(markup.match(/<(?:script|img|link|iframe|a)\b|<[^>]*\s(?:on\w+|style)=/g)).toBe(null)
    expect(page).toContain("&#60;script&#62;alert(1)")
  })
  it("is that of a plan as well", async () => {
    const { code, page } = await pageOf("--dry-run", "--prices", "alchemy")
    expect(page).toContain("<h1>A plan: nothing was sent</h1>")
    expect(page).not.toMatch(/all good/i)
    expect([code, page.includes("<td>alchemy</td>"), page.includes("255 credits")]).toEqual([0, true, true])
  })
})
