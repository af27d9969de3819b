/** The mark beside a result that failed: a red disc with a cross, which is seen on light and dark alike. */
import * as vscode from "vscode"

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><circle cx="14" cy="14" r="11" fill="#d13438"/><path d="M10 10l8 8m0-8l-8 8" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>'

export const failedIcon = vscode.Uri.parse(`data:image/svg+xml;base64,${btoa(svg)}`)
