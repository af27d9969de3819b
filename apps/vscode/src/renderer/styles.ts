/** The look of outputs, in the colours of the editor's theme. Heights agree with `RowLayout`. */
import { tablesAndCharts } from "@dotrpc/report"

export const styles = `${tablesAndCharts}
body:has(> .dotrpc.pane) { padding: 0; margin: 0; overflow: hidden; }
.dotrpc { color: var(--vscode-foreground); font: var(--vscode-font-size, 13px) var(--vscode-font-family, sans-serif); }
.dotrpc p { margin: 4px 0; }
.dotrpc .good .mark { color: var(--vscode-testing-iconPassed, var(--vscode-charts-green)); }
.dotrpc .bad .mark, .dotrpc .error { color: var(--vscode-errorForeground); }
.dotrpc .quiet { color: var(--vscode-descriptionForeground); }
.dotrpc .tools { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; margin: 6px 0; }
.dotrpc .rest { display: contents; }
.dotrpc .more { display: none; }
.dotrpc:not(.pane) { container-type: inline-size; }
@container (max-width: 740px) {
  .dotrpc:not(.pane) .more { display: block; }
  .dotrpc:not(.pane) .more[aria-expanded=false] + .rest { display: none; }
}
.dotrpc input { color: var(--vscode-input-foreground); background: var(--vscode-input-background);
  border: 1px solid var(--vscode-input-border, var(--vscode-contrastBorder, transparent)); padding: 3px 6px; font: inherit; }
.dotrpc .tools input { flex: 1 1 90px; min-width: 0; max-width: 184px; box-sizing: border-box; }
.dotrpc button:not(:is(th, [role=tablist]) > *) { color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground);
  border: 1px solid var(--vscode-contrastBorder, var(--vscode-button-secondaryBorder, transparent)); border-radius: 2px; padding: 3px 8px; font: inherit; cursor: pointer; }
.dotrpc button:not(:is(th, [role=tablist]) > *):hover { background: var(--vscode-button-secondaryHoverBackground); }
.dotrpc :focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: -1px; }
.dotrpc th button { width: 100%; height: 22px; padding: 0 10px; border: 0; color: inherit; background: none; font: inherit;
  font-weight: 600; text-align: inherit; cursor: pointer; white-space: nowrap; }
.dotrpc th[aria-sort=ascending] button::after { content: " \\2191" / ""; }
.dotrpc th[aria-sort=descending] button::after { content: " \\2193" / ""; }
.dotrpc td.linked { position: relative; padding-right: 26px; }
.dotrpc td a { position: absolute; right: 4px; top: 0; width: 18px; line-height: 21px; text-align: center;
  color: var(--vscode-textLink-foreground); text-decoration: none; }
.dotrpc td a::after { content: "\\2197" / ""; }
.dotrpc td a:hover { background: var(--vscode-toolbar-hoverBackground, transparent); outline: 1px dashed var(--vscode-contrastActiveBorder, transparent); }
.dotrpc tr[data-position] { height: 22px; cursor: default; }
.dotrpc tr[aria-expanded] { cursor: pointer; }
.dotrpc tr[data-position]:hover { background: var(--vscode-list-hoverBackground); }
.dotrpc tr[data-position]:focus { outline: 1px solid var(--vscode-focusBorder); outline-offset: -1px; background: var(--vscode-list-focusBackground); }
.dotrpc .spacer td { height: auto; padding: 0; }
.dotrpc .detail td { padding: 0; max-width: none; height: auto; }
.dotrpc .detail pre { margin: 0; padding: 4px 10px 4px 24px; box-sizing: border-box; line-height: 18px; overflow: auto;
  background: var(--vscode-textCodeBlock-background); font-family: inherit; }
.dotrpc pre.json { max-height: 330px; overflow: auto; margin: 4px 0; padding: 6px 10px; background: var(--vscode-textCodeBlock-background);
  font-family: var(--vscode-editor-font-family, monospace); }
.dotrpc .charts { display: flex; gap: 24px; margin-top: 6px; }
.dotrpc .charts:has(details[open]) > :first-child { flex: 1; min-width: 0; }
.dotrpc svg { width: 192px; height: 28px; fill: var(--vscode-charts-blue, var(--vscode-foreground));
  border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, currentColor)); }
.dotrpc.pane { display: flex; flex-direction: column; height: 100vh; overflow-y: auto; box-sizing: border-box; padding: 4px 12px 6px; }
.dotrpc.pane .head { display: grid; grid: "chosen chosen" "tabs tools" / 1fr auto; gap: 0 12px; align-items: center; margin: 2px 0 4px; flex: none;
  border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent)); }
.dotrpc.pane .chosen { grid-area: chosen; display: flex; gap: 12px; align-items: center; min-width: 0; }
.dotrpc.pane .chosen p { margin: 2px 0; min-width: 0; overflow: hidden; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
.dotrpc.pane .head .tools { grid-area: tools; flex-wrap: nowrap; margin: 2px 0; }
.dotrpc.pane .head button { white-space: nowrap; }
@media (max-width: 740px) {
  .dotrpc.pane .head { grid: "chosen tools" "tabs tabs" / minmax(0, 1fr) auto; }
  .dotrpc.pane .tools { gap: 4px; }
  .dotrpc.pane .tools button { padding: 3px 5px; }
}
.dotrpc.pane .alerts { max-height: max(30vh, 200px); overflow: auto; flex: none; }
.dotrpc select { color: var(--vscode-dropdown-foreground); background: var(--vscode-dropdown-background);
  border: 1px solid var(--vscode-dropdown-border, var(--vscode-contrastBorder, transparent)); padding: 2px 4px; font: inherit; max-width: 40ch; flex: none; text-overflow: ellipsis; }
.dotrpc.pane #other { max-width: 64ch; flex: 0 1 auto; min-width: 0; }
.dotrpc.pane .tools button[aria-pressed=true] { color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
.dotrpc.pane [role=tablist] { grid-area: tabs; display: flex; flex-wrap: wrap; gap: 2px; }
.dotrpc.pane [role=tab] { color: var(--vscode-foreground); background: none; border: 0; border-bottom: 2px solid transparent;
  padding: 3px 10px; font: inherit; cursor: pointer; }
.dotrpc.pane [role=tab][aria-selected=true] { font-weight: 600;
  border-bottom-color: var(--vscode-contrastActiveBorder, var(--vscode-panelTitle-activeBorder, var(--vscode-focusBorder))); }
.dotrpc.pane [role=tabpanel] { flex: 1 0 140px; display: flex; flex-direction: column; overflow: auto; }
.dotrpc.pane [role=tabpanel] > .scroll { flex: 0 1 auto; min-height: 66px; }
.dotrpc.pane pre { max-height: none; margin: 4px 0; padding: 6px 10px; white-space: pre-wrap; overflow-wrap: anywhere;
  background: var(--vscode-textCodeBlock-background); font-family: var(--vscode-editor-font-family, monospace); font-size: var(--vscode-editor-font-size, 12px); }
.dotrpc.pane .detail pre { white-space: pre; }
.dotrpc.pane .plain td { white-space: normal; max-width: none; height: auto; padding: 2px 10px; vertical-align: top; overflow-wrap: anywhere; }
.dotrpc.pane .plain td.numeric { width: 1%; white-space: nowrap; }
.dotrpc.pane .plain th { padding: 0 10px; }
.dotrpc.pane .failed td { color: var(--vscode-errorForeground); }
.dotrpc.pane .diff { margin: 4px 0; font-family: var(--vscode-editor-font-family, monospace); font-size: var(--vscode-editor-font-size, 12px); }
.dotrpc.pane .diff div { display: flex; gap: 8px; border: 1px solid transparent; border-left-width: 3px; }
.dotrpc.pane .diff div > :first-child { flex: none; width: 2ch; text-align: center; }
.dotrpc.pane .diff div > :last-child { white-space: pre-wrap; overflow-wrap: anywhere; }
.dotrpc.pane .diff .added { background: var(--vscode-diffEditor-insertedTextBackground); border-color: var(--vscode-diffEditor-insertedTextBorder, transparent);
  border-left-color: var(--vscode-charts-green, currentColor); }
.dotrpc.pane .diff .removed { background: var(--vscode-diffEditor-removedTextBackground); border-color: var(--vscode-diffEditor-removedTextBorder, transparent);
  border-left-color: var(--vscode-charts-red, currentColor); }
.dotrpc.pane .diff .gap { color: var(--vscode-descriptionForeground); }
.dotrpc .chart .plot { position: relative; height: 220px; }
.dotrpc .chart .plot svg { position: absolute; inset: 0; width: 100%; height: 100%; border: 0; touch-action: none; cursor: crosshair; }
.dotrpc .chart .tools { margin: 2px 0; }
.dotrpc .chart .tools select { flex: 1 1 100px; min-width: 0; max-width: max-content; }
.dotrpc.pane [role=tabpanel] > .whole, .dotrpc.pane .whole > .chart { flex: 1 0 auto; display: flex; flex-direction: column; }
.dotrpc.pane .chart .plot { flex: 1 0 auto; height: auto; }
.dotrpc .chart .marked rect { fill: var(--vscode-list-activeSelectionBackground, transparent); opacity: 0.5; stroke: var(--vscode-contrastActiveBorder, var(--vscode-focusBorder)); stroke-width: 1.5; }
.dotrpc .chart output { display: block; min-height: 1.4em; }
.dotrpc button:disabled { opacity: 0.4; cursor: default; }
.dotrpc .columns { flex: none; max-height: 40vh; overflow: auto; margin: 0 0 6px; padding: 4px 8px;
  border: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent)); }
.dotrpc .columns ul { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 0 0 4px; }
.dotrpc .columns li { display: flex; gap: 4px; align-items: center; }
.dotrpc .columns[hidden] { display: none; }
.dotrpc ul { list-style: none; margin: 6px 0; padding: 0; }
`
