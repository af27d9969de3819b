/** Docstrings where this project writes them and TypeDoc does not look. */
import { readFileSync } from "node:fs"
import { Comment, ContainerReflection, type ProjectReflection, ReflectionKind } from "typedoc"

/** The header of a file describes the entry or namespace that it is. */
export const describeModules = (project: ProjectReflection): void => {
  for (const module of project.getReflectionsByKind(ReflectionKind.SomeModule)) {
    const file = project.getSymbolIdFromReflection(module)?.fileName
    if (module.comment !== undefined || file === undefined) continue
    const header = /^\/\*\*([^]*?)\*\//.exec(readFileSync(file, "utf8"))?.[1]
    if (header !== undefined)
      module.comment = new Comment([{ kind: "text", text: header.replace(/^\s*\* ?/gm, "").trim() }])
  }
}

/** A value and a type of the same name, such as a schema and what it reads, have one docstring. */
export const shareDocstrings = (project: ProjectReflection): void => {
  for (const parent of project.getReflectionsByKind(ReflectionKind.SomeModule)) {
    if (!(parent instanceof ContainerReflection)) continue
    const known = new Map(
      (parent.children ?? []).flatMap(({ comment, name }) => (comment === undefined ? [] : [[name, comment]])),
    )
    for (const child of parent.children ?? []) {
      if (!child.kindOf(ReflectionKind.TypeAlias | ReflectionKind.Interface | ReflectionKind.Variable)) continue
      const shared = known.get(child.name)
      if (child.comment === undefined && shared !== undefined) child.comment = shared.clone()
    }
  }
}
