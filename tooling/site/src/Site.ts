/** The documents of the repository and the reference of every entry of every published package, built by TypeDoc as one static site. */
import { readFileSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import {
  Application,
  Converter,
  type DocumentReflection,
  KindRouter,
  MinimalSourceFile,
  type NormalizedPath,
  type ProjectReflection,
  type Reflection,
  TSConfigReader,
} from "typedoc"
import { documents, documentsForUsers, entries, groupOf, root } from "./Contents.ts"
import { describeModules, shareDocstrings } from "./Docstrings.ts"
import { writePageIndex } from "./PageIndex.ts"
import { titleOf, withoutTitle } from "./Title.ts"

export const folder = join(root, "tooling/site/dist")

/** `false` when TypeDoc found a problem, which it printed. */
export const buildSite = async (): Promise<boolean> => {
  const app = await Application.bootstrap(
    {
      name: "dotrpc",
      readme: join(root, "README.md"),
      projectDocuments: [...documents()],
      entryPoints: entries().map(({ file }) => file),
      tsconfig: join(root, "tooling/site/tsconfig.site.json"),
      customCss: join(import.meta.dirname, "site.css"),
      // TypeDoc's own search finds names.
      customJs: join(import.meta.dirname, "pageSearch.js"),
      out: folder,
      // The task `check` of each package does that.
      skipErrorChecking: true,
      disableSources: true,
      excludeExternals: true,
      excludeInternal: true,
      excludePrivate: true,
      githubPages: false,
      hideGenerator: true,
      includeHierarchySummary: false,
      router: "files",
      highlightLanguages: [
        "bash",
        "csv",
        "http",
        "ini",
        "json",
        "jsonc",
        "lua",
        "rust",
        "sh",
        "sql",
        "toml",
        "ts",
        "yaml",
      ],
      ignoredHighlightLanguages: ["ebnf", "rpc", "text"],
      navigation: { includeGroups: true, includeFolders: false },
      // A list of 1,500 names on every page would be slow to open and long to read; the page of an entry has its own.
      navigationLeaves: entries().map(({ name }) => name),
      groupOrder: ["Documents", "Commands", "Modules", "Tests", "Decisions", "*"],
      sort: ["documents-first", "alphabetical-ignoring-documents"],
      // `check:package` of each package finds exports without a docstring.
      validation: {
        notExported: false,
        invalidLink: true,
        invalidPath: true,
        rewrittenLink: true,
        notDocumented: false,
      },
      // Types of Effect have links within its own reference.
      externalSymbolLinkMappings: { effect: { "*": "#" } },
      treatWarningsAsErrors: true,
    },
    [new TSConfigReader()],
  )
  app.renderer.defineRouter("files", FileRouter)
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, document) => placeDocument(document))
  // After the plugin that reads the first page.
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => place(app, project), -1000)
  const names = new Map(entries().map(({ file, name }) => [file, name]))
  const found = app.getEntryPoints() ?? []
  const project = app.converter.convert(
    found.map((entry) => ({ ...entry, displayName: names.get(entry.sourceFile.fileName) ?? entry.displayName })),
  )
  app.validate(project)
  if (isWrong(app)) return false
  await app.generateOutputs(project)
  writePageIndex(folder)
  writeForAgents()
  return !isWrong(app)
}

/** The index of https://llmstxt.org, whose links lead to the pages of the site, and all documents as one text. */
const writeForAgents = (): void => {
  const pages = new Set(documents().map((path) => relative(root, path)))
  const linked = textAt(join(root, "llms.txt")).replaceAll(/\]\(([\w./-]+)\.md\)/g, (whole, name: string) =>
    pages.has(`${name}.md`) ? `](${name}.html)` : whole,
  )
  writeFileSync(join(folder, "llms.txt"), linked)
  writeFileSync(
    join(folder, "llms-full.txt"),
    [join(root, "SKILL.md"), ...documentsForUsers()].map(textAt).join("\n\n"),
  )
}

/** A document keeps the name of its file, whatever its heading is. */
class FileRouter extends KindRouter {
  protected override getIdealBaseName(reflection: Reflection): string {
    const path = reflection.isDocument() ? reflection.project.files.getReflectionPath(reflection) : undefined
    return path === undefined ? super.getIdealBaseName(reflection) : relative(root, path).replace(/\.md$/, "")
  }
}

const isWrong = ({ logger }: Application): boolean => logger.hasErrors() || logger.hasWarnings()

/** A document is named by its heading, which is then the title of its page. A link to the folder of decisions leads to one of them. */
const placeDocument = (document: DocumentReflection): void => {
  const path = document.project.files.getReflectionPath(document)
  if (path === undefined) return
  document.name = titleOf(textAt(path), path)
  document.content = withoutTitle(document.content)
  if (groupOf(path) === "Decisions")
    document.project.files.registerReflectionPath(dirname(path) as NormalizedPath, document)
  document.frontmatter["group"] = groupOf(path)
}

/** The README of a package is the first part of its entry's page, and links to it or to a folder of it lead there. */
const place = (app: Application, project: ProjectReflection): void => {
  const { files } = project
  project.readme = withoutTitle(project.readme ?? [])
  describeModules(project)
  shareDocstrings(project)
  for (const { name, readme } of entries()) {
    const module = project.children?.find((child) => child.name === name)
    if (readme === undefined || module === undefined) continue
    const page = app.converter.parseRawComment(new MinimalSourceFile(textAt(readme), readme as NormalizedPath), files)
    module.readme = withoutTitle(page.content)
    for (const path of [readme, dirname(readme), ...foldersNamed.map((folder) => join(dirname(readme), folder))])
      files.registerReflectionPath(path as NormalizedPath, module)
  }
}

/** Folders that documents link to, which a site cannot show. */
const foldersNamed: ReadonlyArray<string> = ["contracts", "sheets"]

const textAt = (path: string): string => readFileSync(path, "utf8")
