/** `{{$secret.NAME}}` and `{{$env.NAME}}` in the strings of a configuration. */

export const placeholder = /\{\{\s*\$(secret|env)\.(\w+)\s*\}\}/g

/** The text there may be the key itself, so it is not quoted. */
export const strangePlaceholder =
  "has a placeholder that is neither a secret nor an environment variable: write {{$secret.NAME}} for a key, {{$env.NAME}} for any other value"

/** `{{NAME}}`, or `${NAME}` as a shell has it. */
export const hasStrangePlaceholder = (text: string): boolean => /\{\{|\$\{/.test(text.replace(placeholder, ""))
