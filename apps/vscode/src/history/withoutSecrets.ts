/**
 * A value without the secrets that went into a run, so that it may be kept.
 *
 * Invariant: no text of what comes out, key or value, holds one of the secrets.
 */
import type { Workspace } from "@dotrpc/analysis"
import { childrenOf, parse, type SyntaxNode } from "@dotrpc/lang"
import { Json, Redaction } from "@dotrpc/spec"
import type { Redacted } from "effect"

export const withoutSecrets = (value: Json.Json, secrets: ReadonlyArray<Redacted.Redacted<string>>): Json.Json => {
  const clean = (text: string): string => Redaction.scrub(text, secrets)
  const walk = (part: Json.Json): Json.Json => {
    if (typeof part === "string") return clean(part)
    if (Json.isArray(part)) return part.map(walk)
    if (!Json.isObject(part)) return part
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [clean(name), walk(member)]))
  }
  return walk(value)
}

/** Everything private that a text can have sent: addresses with their keys, and the secrets it names. */
export const secretsOf = (text: string, workspace: Workspace): ReadonlyArray<Redacted.Redacted<string>> => [
  ...workspace.networks.flatMap(({ network }) => network.secrets),
  ...[...namesIn(parse(text).tree)].flatMap((name) => workspace.secret(name) ?? []),
]

const namesIn = (node: SyntaxNode): ReadonlySet<string> => {
  const names = new Set<string>()
  const visit = (part: SyntaxNode): void => {
    if (part.kind === "Secret") names.add(part.name.text)
    childrenOf(part).forEach(visit)
  }
  visit(node)
  return names
}
