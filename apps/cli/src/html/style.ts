/** The look of a report as a page, light and dark. */
export const style = `
:root { color-scheme: light dark; --quiet: color-mix(in srgb, currentColor 60%, transparent); --line: color-mix(in srgb, currentColor 18%, transparent); }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; } h3 { font-size: 1rem; margin: 0; }
.good { color: light-dark(#1a7f37, #57ab5a); } .bad { color: light-dark(#b3261e, #ff7b72); } .quiet { color: var(--quiet); }
section { border: 1px solid var(--line); border-radius: 8px; padding: .8rem 1rem; margin: 1rem 0; }
ul { list-style: none; padding: 0; margin: .5rem 0; } p { margin: .3rem 0; overflow-wrap: anywhere; }
.rows { overflow: auto; max-height: 28rem; margin-top: .5rem; }
table { border-collapse: collapse; font: 13px/1.6 ui-monospace, monospace; }
th { position: sticky; top: 0; background: Canvas; text-align: left; } th, td { padding: 0 1.2em 0 0; white-space: nowrap; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; } tr:hover td { background: var(--line); }
pre { overflow: auto; max-height: 28rem; font: 13px/1.5 ui-monospace, monospace; }
svg { width: 100%; max-width: 40rem; height: 4rem; fill: light-dark(#2f6feb, #6ea8fe); } figure { margin: .5rem 0; } figcaption { color: var(--quiet); }
`
