/**
 * A value without the secrets that went into a run, so that it may be kept.
 *
 * Invariant: no text of what comes out, key or value, holds one of the secrets.
 */
import { atOnce, type Steps, type Workspace } from "@dotrpc/analysis"
import { parse, type SyntaxNode } from "@dotrpc/lang"
import { childrenOf } from "@dotrpc/lang/locate"
import { Json, Redaction } from "@dotrpc/spec"
import { Redacted } from "effect"

/** The value as JSON. Secrets are rare in results, so it is taken apart only when its text holds one. */
export const textWithoutSecrets = (value: Json.Json, secrets: ReadonlyArray<Redacted.Redacted<string>>): string => {
  const text = Json.stringify(value)
  const asWritten = secrets.flatMap((secret) => [secret, ...escaped(secret)])
  return Redaction.scrub(text, asWritten) === text ? text : Json.stringify(Redaction.scrubJson(value, secrets))
}

/** A secret as it stands in JSON, where that is something else. */
const escaped = (secret: Redacted.Redacted<string>): ReadonlyArray<Redacted.Redacted<string>> => {
  const plain = Redacted.value(secret)
  const written = JSON.stringify(plain).slice(1, -1)
  return written === plain ? [] : [Redacted.make(written)]
}

/** Everything private that a text can have sent: URLs with their keys, and the secrets it names. */
export const secretsOf = (text: string, workspace: Workspace): ReadonlyArray<Redacted.Redacted<string>> =>
  atOnce(findingSecrets(text, workspace))

/** As {@link secretsOf}, in steps of one section each. */
export function* findingSecrets(text: string, workspace: Workspace): Steps<ReadonlyArray<Redacted.Redacted<string>>> {
  const names = new Set<string>()
  const visit = (part: SyntaxNode): void => {
    if (part.kind === "Secret") names.add(part.name.text)
    childrenOf(part).forEach(visit)
  }
  const { prelude, sections } = parse(text).tree
  for (const part of [prelude, ...sections]) {
    yield
    visit(part)
  }
  return [
    ...workspace.networks.flatMap(({ network }) => network.secrets),
    ...[...names].flatMap((name) => workspace.secret(name) ?? []),
  ]
}
