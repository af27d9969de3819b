/** The look of tables and charts, in the colours of an editor's theme, and that of a page, which has its own, light and dark. */

export const tablesAndCharts = `
.dotrpc .scroll { overflow: auto; border: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent)); }
.dotrpc table { border-collapse: separate; border-spacing: 0; width: 100%;
  font-family: var(--vscode-editor-font-family, monospace); font-size: var(--vscode-editor-font-size, 12px); }
.dotrpc th { position: sticky; top: 0; height: 22px; padding: 0; text-align: left; z-index: 1;
  background: var(--vscode-editorWidget-background, var(--vscode-editor-background));
  border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent)); }
.dotrpc td { height: 22px; text-align: left; box-sizing: border-box; padding: 0 10px; white-space: nowrap; max-width: 48ch; overflow: hidden; text-overflow: ellipsis; }
.dotrpc td.word { max-width: none; }
.dotrpc td.word span { display: inline-block; vertical-align: top; }
.dotrpc td.word span:first-child { max-width: 9.2ch; overflow: hidden; text-overflow: ellipsis; }
.dotrpc td.named { max-width: none; }
.dotrpc .numeric { text-align: right; }
.dotrpc figure { margin: 0; }
.dotrpc figcaption { color: var(--vscode-descriptionForeground); font-size: 0.9em; margin-bottom: 2px; }
.dotrpc .chart text { fill: var(--vscode-foreground); font-size: 11px; font-family: var(--vscode-font-family, sans-serif); }
.dotrpc .chart .axis line { stroke: var(--vscode-widget-border, var(--vscode-contrastBorder, currentColor)); stroke-width: 1; opacity: 0.6; }
.dotrpc .chart .course { --line: var(--vscode-charts-blue, var(--vscode-foreground)); fill: none; stroke: var(--line); stroke-width: 1.5; }
.dotrpc .chart .line-1 { --line: var(--vscode-charts-orange, var(--vscode-foreground)); }
.dotrpc .chart .line-2 { --line: var(--vscode-charts-green, var(--vscode-foreground)); }
.dotrpc .chart .line-3 { --line: var(--vscode-charts-purple, var(--vscode-foreground)); }
.dotrpc .chart .line-4 { --line: var(--vscode-charts-red, var(--vscode-foreground)); }
.dotrpc .chart .line-5 { --line: var(--vscode-charts-yellow, var(--vscode-foreground)); }
.dotrpc .chart .bar { fill: var(--vscode-charts-blue, var(--vscode-foreground)); }
.dotrpc .chart circle.course { fill: var(--line); stroke-dasharray: none; }
`

export const pageStyle = `
:root { color-scheme: light dark; --quiet: color-mix(in srgb, currentColor 60%, transparent); --line: color-mix(in srgb, currentColor 18%, transparent);
  --vscode-editor-font-family: ui-monospace, monospace; --vscode-editor-font-size: 13px; --vscode-foreground: currentColor;
  --vscode-editor-background: Canvas; --vscode-widget-border: var(--line); --vscode-descriptionForeground: var(--quiet);
  --vscode-charts-blue: light-dark(#2f6feb, #6ea8fe); --vscode-charts-orange: light-dark(#b35900, #f0a35e); --vscode-charts-green: light-dark(#1a7f37, #57ab5a);
  --vscode-charts-purple: light-dark(#7b3fc4, #b98cf0); --vscode-charts-red: light-dark(#b3261e, #ff7b72); --vscode-charts-yellow: light-dark(#8a6d00, #d9b84a); }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; } h3 { font-size: 1rem; margin: 0; }
.good { color: var(--vscode-charts-green); } .bad { color: var(--vscode-charts-red); } .quiet { color: var(--quiet); }
section { border: 1px solid var(--line); border-radius: 8px; padding: .8rem 1rem; margin: 1rem 0; }
ul { list-style: none; padding: 0; margin: .5rem 0; } p { margin: .3rem 0; overflow-wrap: anywhere; }${tablesAndCharts}
.scroll { max-height: 28rem; margin-top: .5rem; } .dotrpc th { padding: 0 10px; white-space: nowrap; } tbody tr:hover td { background: var(--line); }
pre { overflow: auto; max-height: 28rem; font: 13px/1.5 ui-monospace, monospace; }
.chart svg { width: 100%; height: auto; display: block; } .dotrpc figure { margin: .5rem 0; }
`

/** What the policy of the page allows: this style, and nothing else. The tests compare it. */
export const pageStyleHash = "sha256-tQW3D5ahvOHGxf2zRqplAjrvDMPLkI7ygllU5jprFo4="
