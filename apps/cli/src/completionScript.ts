/**
 * The scripts of `--completions`, which `effect/cli` makes. In bash they end the name of a folder as they end a word, with a
 * blank, after which nobody can complete a name in the folder: here it ends with a slash. Where they have the mark of a kind of
 * names, they ask for the names.
 */
import { marks } from "./NamedThings.ts"

/** The script as it is printed. A script of another shell, or of a library that does better, stays as it is. */
export const completionScript = (script: string): string =>
  script
    .replace(namesOfPaths, `$1${folders}$2`)
    .replaceAll(new RegExp(`@\\('${marks.source}'\\)`, "g"), "@(dotrpc --names $1 2>$null)")
    .replaceAll(new RegExp(`-a '${marks.source}'`, "g"), "-a '(dotrpc --names $1 2>/dev/null)'")
    .replaceAll(new RegExp(`\\(${marks.source}\\)`, "g"), "($(dotrpc --names $1 2>/dev/null))")
    .replaceAll(new RegExp(`(["']?)${marks.source}\\1`, "g"), "$(dotrpc --names $2 2>/dev/null)")

/** The end of the function that completes paths. */
const namesOfPaths = /(\n {4}COMPREPLY\[_i\]="\$_typed\$\{COMPREPLY\[_i\]\}"\n {2}done\n)(\}\n)/

/** bash before version 4, which macOS has, knows no `compopt`. */
const folders = `  if ((\${#COMPREPLY[@]} == 1)); then
    _path="$(compgen "$_kind" -- "$_prefix")"
    [[ -d "\${_path/#\\~/$HOME}" ]] && COMPREPLY[0]+="/" && compopt -o nospace 2>/dev/null
  fi
`
