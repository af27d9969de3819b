import type { Workbench } from "@dotrpc/vscode-host"

/** The pane of results: its tabs, and what is in the one that is shown. */
export const paneOf = (workbench: Workbench) => {
  const page = workbench.webview()
  const tab = (name: string) => page.getByRole("tab", { name, exact: true })
  return {
    page,
    tab,
    panel: page.getByRole("tabpanel"),
    press: (name: string) => page.getByRole("button", { name, exact: true }).click(),
    /** The name of the tab that is shown. */
    shown: () => page.getByRole("tab", { selected: true }).innerText(),
    status: page.getByRole("status").first(),
  }
}
