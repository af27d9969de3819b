/** Names in braces in the files of other tools, in the words of this language. */

/** A text with its names in the words of this language. */
export interface Named {
  readonly text: string
  readonly strange: ReadonlyArray<string>
}

/** Names of other tools in the words of this language. What has none, such as `$guid`, is `strange`, and has a stand-in. */
export const withNames = (body: string): Named => {
  const strange: Array<string> = []
  const text = body
    .replace(/\{\{\s*\$(?:processEnv|dotenv|env)[\s.]+%?(\w+)\s*\}\}/g, "{{$env.$1}}")
    .replace(/\{\{\s*\$timestamp\s*\}\}/g, "{{now()}}")
    .replace(
      /\{\{\s*(\w+)\.response\.body\.(?:\$\.)?([^{}]+)\}\}/g,
      (_, name: string, path: string) => `{{${name}.${path.trimEnd()}}}`,
    )
    .replace(/\{\{\s*([A-Za-z_][\w-]*)\s*\}\}/g, (_, name: string) => `{{${plainName(name)}}}`)
    .replace(/\{\{\s*(\$(?!env\.\w+\s*\}\})[^{}]*)\}\}/g, (_, expression: string) => {
      strange.push(expression.trimEnd())
      return `{{${standIn(strange.length - 1)}}}`
    })
  return { text, strange }
}

/** The first name without a meaning that a text with stand-ins has. */
export const strangeIn = (text: string, strange: ReadonlyArray<string>): string | undefined =>
  [...text.matchAll(standIns)].flatMap(([, index]) => strange[Number(index)] ?? []).at(0)

const standIn = (index: number): string => `dotrpc_strange_${index}_`

const standIns = /dotrpc_strange_(\d+)_/g

/** A name with no sign that a name here may not have. */
export const plainName = (name: string): string => name.replace(/-/g, "_")

/** The variables and requests that a text mentions; what is called is a function. */
export const namesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\{\{\s*([A-Za-z_]\w*)(?!\w|\s*\()[^{}]*\}\}/g)].map(([, name = ""]) => name)

/** The text that other tools paste, as the JSON value it would become. */
export const valueText = (value: string): string => {
  if (/^(-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false|null|"([^"\\]|\\.)*")$/.test(value)) return value
  if (/^\{\{[^{}]*\}\}$/.test(value)) return value
  return /^[[{](?!\{)/.test(value) ? value : JSON.stringify(value)
}
