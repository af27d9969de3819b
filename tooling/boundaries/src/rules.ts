/** Who may import whom. ARCHITECTURE.md explains the rules; this table is what CI enforces. */

/** What each package may import of the workspace; a name missing here may not exist. */
export const allowedEdges: Readonly<Record<string, ReadonlyArray<string>>> = {
  "@dotrpc/spec": [],
  "@dotrpc/lang": [],
  "@dotrpc/core": ["@dotrpc/spec"],
  "@dotrpc/analysis": ["@dotrpc/spec", "@dotrpc/lang", "@dotrpc/prices"],
  "@dotrpc/lang-service": ["@dotrpc/spec", "@dotrpc/lang", "@dotrpc/analysis"],
  "@dotrpc/session": ["@dotrpc/spec", "@dotrpc/lang", "@dotrpc/analysis"],
  "@dotrpc/language-server": [
    "@dotrpc/spec",
    "@dotrpc/lang",
    "@dotrpc/analysis",
    "@dotrpc/lang-service",
    "@dotrpc/session",
  ],
  "@dotrpc/runner": ["@dotrpc/spec", "@dotrpc/lang", "@dotrpc/analysis", "@dotrpc/core"],
  "@dotrpc/plugin-evm": ["@dotrpc/spec"],
  "@dotrpc/plugin-token-accounts": ["@dotrpc/spec"],
  "@dotrpc/plugin-l2-events": ["@dotrpc/spec"],
  "@dotrpc/plugin-kit": ["@dotrpc/spec"],
  "@dotrpc/prices": ["@dotrpc/spec"],
  // The client and the runner are those of `@dotrpc/project/run` and `/runtime`: what opens a project loads neither.
  "@dotrpc/project": [
    "@dotrpc/spec",
    "@dotrpc/lang",
    "@dotrpc/analysis",
    "@dotrpc/session",
    "@dotrpc/core",
    "@dotrpc/runner",
    "@dotrpc/gateway",
    "@dotrpc/plugin-evm",
    "@dotrpc/plugin-token-accounts",
    "@dotrpc/plugin-l2-events",
  ],
  // `@dotrpc/columns/node` writes through the `AtomicFile` of projects; the rest does without them.
  "@dotrpc/columns": ["@dotrpc/spec", "@dotrpc/project"],
  "@dotrpc/gateway": [
    "@dotrpc/spec",
    "@dotrpc/core",
    "@dotrpc/plugin-evm",
    "@dotrpc/plugin-token-accounts",
    "@dotrpc/plugin-l2-events",
  ],
  "@dotrpc/backfill": ["@dotrpc/spec", "@dotrpc/core"],
  "@dotrpc/report": ["@dotrpc/spec", "@dotrpc/analysis", "@dotrpc/runner"],
  "@dotrpc/viem": ["@dotrpc/spec", "@dotrpc/core", "@dotrpc/plugin-evm"],
}

/** Apps and examples may import every package, and never each other. */
export const appFolders: ReadonlyArray<string> = ["apps/", "examples/"]

/** Modules that only the named folders may import, and why. */
export const fences: ReadonlyArray<Fence> = [
  { module: /^vscode$/, only: ["apps/vscode/"], why: "the editor's API stays in the extension" },
  {
    module: /^vscode-languageserver/,
    only: ["packages/language-server/", "apps/"],
    why: "protocol types stay at the outermost border",
  },
  {
    module: /^effect\/(http|persistence|sql|socket|cli|process|observability|cluster|workflow)(\/|$)/,
    only: ["packages/core/", "packages/gateway/", "packages/backfill/", "apps/"],
    why: "modules tagged unstable stay behind a port",
  },
  {
    module: /^(node:|@effect\/platform-node)/,
    only: [
      "packages/gateway/src/server/",
      "packages/columns/src/node/",
      "packages/project/src/node/",
      "packages/plugin-kit/src/vitest.ts",
      "apps/",
      "examples/",
    ],
    why: "everything else also runs in browsers",
  },
]

/** Files that may use what reads or writes a file, and which of it. Everybody else goes through the first three of them. */
export const fileAccess: Readonly<Record<string, ReadonlyArray<string>>> = {
  "packages/project/src/node/AtomicFile.ts": ["openSync", "renameSync"],
  // Both open for reading alone.
  "packages/project/src/node/RegularFile.ts": ["open", "openSync"],
  "packages/project/src/node/FileWithin.ts": ["readRegularFile", "readRegularFileSync"],
  // Code, which counts by its content once it is trusted, wherever it lies.
  "packages/project/src/node/ModuleFiles.ts": ["readRegularFileSync"],
  "packages/project/src/node/resolvePackage.ts": ["readRegularFileSync"],
  "apps/vscode/src/project/importBundled.ts": ["fs.readFile"],
  // A configuration that was searched for.
  "apps/vscode/src/project/Projects.ts": ["readFileText"],
  // What its user names on the command line, or opens in the editor, and what dotrpc itself has written beside that.
  "apps/cli/src/SourceFiles.ts": ["readRegularFile"],
  "apps/cli/src/GatewayKeys.ts": ["readTextFileSync"],
  "apps/cli/src/meter/TeamKeys.ts": ["readTextFileSync"],
  // The configuration that was read, to change it.
  "apps/cli/src/commands/probe.ts": ["readTextFileSync"],
  // The summary that the job of a pipeline has named.
  "apps/cli/src/commands/meter.ts": ["appendFileSync"],
  "apps/cli/src/BackfillManifest.ts": ["readTextFileSync"],
  "apps/cli/src/BackfillStatusFile.ts": ["readRegularFileSync"],
  "apps/cli/src/BackfillBackground.ts": ["readRegularFileSync"],
  "apps/cli/src/ScanColumns.ts": ["readTextFileSync"],
  "apps/cli/src/ScanFiles.ts": ["readTextFileSync"],
  "apps/cli/src/ScanLock.ts": ["readTextFileSync"],
  "apps/vscode/src/project/Serializer.ts": ["fs.readFile"],
  // The file of snapshots beside it, of which a name is changed.
  "apps/vscode/src/language/sharedSession.ts": ["readFileText"],
  // The user's own folder, and what comes with dotrpc.
  "packages/project/src/node/SecretHostFile.ts": ["readTextFile"],
  "packages/project/src/node/Trust.ts": ["readTextFileSync"],
  "packages/project/src/node/KeptFile.ts": ["readTextFileSync"],
  "apps/cli/src/rows/RowsFile.ts": ["readRegularFileSync"],
  "apps/cli/src/recordedSample.ts": ["readRegularFileSync"],
  "apps/vscode/src/commands/openSample.ts": ["fs.readFile"],
  "apps/vscode/src/extension.web.ts": ["fs.readFile"],
  // Only whether a manifest names a package.
  "apps/cli/src/scaffold/nextSteps.ts": ["readTextFileSync"],
  // The editor's own file system, below which no link is followed.
  "apps/vscode/src/project/readFile.ts": ["fs.readFile"],
  "apps/vscode/src/project/namedFiles.ts": ["readFileText"],
  "apps/vscode/src/backfills/BackfillFolders.ts": ["readFileText"],
  "apps/cli/src/ChainLines.ts": ["openSync"],
  // An old lock is set aside under a random name; neither of the two follows a link.
  "packages/project/src/node/FileLock.ts": ["renameSync", "linkSync"],
  // Stdout, which is open already.
  "apps/cli/src/processHost.ts": ["writeFileSync"],
  // Run where there may be no project: the ledger's files lie in the user's own folder, and are created exclusively.
  "packages/core/src/internal/node.ts": ["openSync"],
  "packages/core/src/ledger/fileCell.ts": ["openSync", "readFileSync", "renameSync"],
  // Scripts record calls without a project: each file is created exclusively, under a random name, and moved to its place.
  "packages/core/src/cassette/folder.ts": ["writeFile"],
  // The kit knows no project; it looks at what a golden file is, and how large, before it reads it.
  "packages/plugin-kit/src/vitest.ts": ["readFileSync"],
  // The editor's own file system. Its storage folder is the extension's alone; the others are what the user chose.
  "apps/vscode/src/history/HistoryFiles.ts": ["writeFile"],
  "apps/vscode/src/results/exportPage.ts": ["writeFile"],
  "apps/vscode/src/results/savePicture.ts": ["writeFile"],
  "apps/vscode/src/results/saveResult.ts": ["writeFile"],
  "apps/vscode/src/networks/createConfig.ts": ["writeFile"],
  // Beside the file that ran; what is there already is looked at, and a link is refused.
  "apps/vscode/src/run/snapshots.ts": ["writeFile", "fs.readFile"],
}

export interface Fence {
  readonly module: RegExp
  readonly only: ReadonlyArray<string>
  readonly why: string
}

/** Calls of `write` in the CLI, by how they begin, that are neither `Sink.line` nor a module of `render`, and why. */
export const plainWrites: Readonly<Record<string, PlainWrites>> = {
  "apps/cli/src/Output.ts": {
    calls: ["stdout.write(", "stderr.write(", "raw.write(", "sink.write("],
    why: "it is where all text leaves",
  },
  "apps/cli/src/processHost.ts": { calls: ["stream.write("], why: "it is the process's own stream" },
  "apps/cli/src/main.ts": { calls: ["process.stdout.write(`${versionLine}\\n`)"], why: "a line of our own" },
  "apps/cli/src/SecretHosts.ts": {
    calls: ["stderr.write(Visible.line("],
    why: "a question has no line break behind it",
  },
  "apps/cli/src/commands/credits.ts": { calls: ["stdout.write(show("], why: "styled, and its names are made visible" },
  "apps/cli/src/commands/dryRun.ts": {
    calls: [
      "stream.write(`${colors.underline(Visible.line(",
      "stream.write(`${showPlan(",
      "stream.write(`${showElsewhere(",
    ],
    why: "styled, and made by render",
  },
  "apps/cli/src/commands/cost.ts": {
    calls: ["stdout.write(`${showCost("],
    why: "styled, and made by render",
  },
  "apps/cli/src/commands/explain.ts": {
    calls: ["stdout.write(yield* explained("],
    why: "styled pages of our own documentation",
  },
  "apps/cli/src/commands/doctor.ts": {
    calls: ["stdout.write(`${mark} ", 'stdout.write(`${" ".repeat(16)}'],
    why: "a styled mark, before words that are made visible",
  },
  "apps/cli/src/commands/init.ts": {
    calls: ["stderr.write(Visible.line("],
    why: "a question has no line break behind it",
  },
  "apps/cli/src/commands/methods.ts": { calls: ["stdout.write(`${textTable("], why: "styled, and made by render" },
  "apps/cli/src/commands/networks.ts": { calls: ["stdout.write(`${textTable("], why: "styled, and made by render" },
  "apps/cli/src/commands/prices.ts": {
    calls: ["stdout.write(showPriceList(", "stdout.write(showPrices("],
    why: "styled, and made by render",
  },
  "apps/cli/src/commands/reconcile.ts": {
    calls: ["stdout.write(showReconciliation("],
    why: "styled, and made by render",
  },
  "apps/cli/src/commands/importOpenRpc.ts": { calls: ["stdout.write(nextSteps("], why: "lines of our own" },
  "apps/cli/src/commands/importRequests.ts": {
    calls: ["stderr.write(text)"],
    why: "JSON, in which texts are escaped",
  },
  "apps/cli/src/commands/probe.ts": {
    calls: ["stdout.write(`${showFound("],
    why: "styled, and its words and numbers are our own",
  },
  "apps/cli/src/commands/where.ts": {
    calls: ["stdout.write(`${textTable("],
    why: "styled, made by render, and its cells are made visible",
  },
  "apps/cli/src/commands/new.ts": { calls: ["stdout.write(nextSteps("], why: "lines of our own" },
  "apps/cli/src/commands/scan.ts": { calls: ["output.write("], why: "the file of results, as JSON" },
  "apps/cli/src/commands/query.ts": {
    calls: ["stdout.write(`${textTable("],
    why: "styled, made by render, and its cells are made visible",
  },
  "apps/cli/src/ScanColumns.ts": { calls: ["file.write("], why: "the file of columns" },
  "apps/cli/src/BackfillColumns.ts": { calls: ["part.write("], why: "a part with columns" },
  "apps/cli/src/BackfillFiles.ts": { calls: ["draft.write("], why: "a part" },
}

interface PlainWrites {
  readonly calls: ReadonlyArray<string>
  readonly why: string
}

/** Packages that run in pages, where each byte is loaded. */
export const packagesOfPages = ["spec", "core", "plugin-evm", "plugin-token-accounts", "plugin-l2-events", "viem"]

/** The folders and files directly in the extension, each of which may import those before it. */
export const editorOrder: ReadonlyArray<string> = [
  "HostPort.ts",
  "Shown.ts",
  "project",
  "recordings",
  "credits",
  "run",
  "names",
  "networks",
  "results",
  "notebook",
  "activation.ts",
  "language",
  "history",
  "checks",
  "pane",
  "extension.web.ts",
  "commands",
  "backfills",
  "agents",
  "features.ts",
  "renderer",
  "extension.ts",
]

/** A function that is longer is not read as one. */
export const mostLines = 80
