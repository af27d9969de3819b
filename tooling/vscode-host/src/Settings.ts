/** User settings that keep the workbench quiet, still and offline, so that a screenshot shows only what is tested. */
export type Settings = Readonly<Record<string, unknown>>

export const quietSettings: Settings = {
  "chat.commandCenter.enabled": false,
  "chat.disableAIFeatures": true,
  "comments.openView": "never",
  // Most flows read what is below a call.
  "dotrpc.results": "thread",
  "editor.accessibilitySupport": "off",
  "editor.minimap.enabled": false,
  "explorer.compactFolders": false,
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "files.autoSave": "off",
  "git.enabled": false,
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "window.commandCenter": false,
  "workbench.enableExperiments": false,
  // What the palette says of its first entry would lie over the next ones.
  "workbench.hover.delay": 60_000,
  "workbench.reduceMotion": "on",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
}

/** A folder is not trusted until the user says so, and no dialog asks. */
export const askingForTrust: Settings = {
  "security.workspace.trust.enabled": true,
  "security.workspace.trust.startupPrompt": "never",
}

/** The extension host to use: the server's Node process, or the browser's web worker, where VS Code for the Web runs. */
export type ExtensionHost = "node" | "web"

/** The settings that move extensions into an extension host; without them they run where they prefer to. */
export function extensionHostSettings(ids: ReadonlyArray<string>, host: ExtensionHost): Settings {
  const kind = host === "web" ? "web" : "workspace"
  return {
    "remote.extensionKind": Object.fromEntries(ids.map((id) => [id, [kind]])),
    // Otherwise each window starts a worker that nothing runs in.
    ...(host === "node" ? { "extensions.webWorkerExtensionHost": false } : {}),
  }
}

/** Closes all editors and the panel, clears notifications and shows the explorer. */
export const tidyKeys = "Control+Alt+Shift+T"

/** The user's own keys, as `keybindings.json` has them. */
export const keybindings: ReadonlyArray<unknown> = [
  {
    key: tidyKeys.replace("Control", "ctrl").toLowerCase(),
    command: "runCommands",
    args: {
      commands: [
        "notifications.clearAll",
        "workbench.action.closePanel",
        "workbench.view.explorer",
        "workbench.action.closeAllEditors",
      ],
    },
  },
]
