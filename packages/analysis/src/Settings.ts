/** What the directives of a request say: a section's own, over those of the prelude. */
import { directiveInfo, type DirectiveNode, parseDuration, type PreludeNode, type SectionNode } from "@dotrpc/lang"

/** What the directives of a request set. */
export interface Settings {
  /** Credits this request may spend at most. */
  readonly budget?: number | undefined
  /** Milliseconds to wait for one reply. */
  readonly timeout?: number | undefined
  /** How often a failed attempt is repeated at most. */
  readonly retry?: number | undefined
  /** Read every page. */
  readonly all: boolean
  /** Where the rows are that the call is made for, each once. */
  readonly each?: DirectiveNode | undefined
  /** Send a method that no plugin knows. */
  readonly unchecked: boolean
  /** With `all`, or of a subscription: stop once this many items are there. */
  readonly limit?: number | undefined
  /** Milliseconds to listen to a subscription, and where the file says so. */
  readonly listen?: { readonly millis: number; readonly directive: DirectiveNode } | undefined
  readonly skip: boolean
  readonly only: boolean
  readonly tags: ReadonlyArray<string>
  readonly network?: DirectiveNode | undefined
  /** Another network to make the same call on. */
  readonly compare?: DirectiveNode | undefined
  /** From `# @ignore`, above all sections and here: each has paths of what is not compared. */
  readonly ignored: ReadonlyArray<DirectiveNode>
  /** Whose networks and variables apply, instead of the chosen environment's. */
  readonly environment?: DirectiveNode | undefined
  /** How to send, and where the file says so. */
  readonly transport?: { readonly kind: "http" | "ws"; readonly directive: DirectiveNode } | undefined
  /** The token in whose units amounts are shown. */
  readonly units?: DirectiveNode | undefined
  /** Whether it may become one call with others: `off` never, `on` on every network, otherwise if this is known to save credits. */
  readonly multicall?: "on" | "off" | undefined
  /** Requests to run first although nothing refers to their results. */
  readonly refs: ReadonlyArray<DirectiveNode>
}

export interface RequestSettings {
  readonly settings: Settings
  /**
   * Directives of the prelude in force here: a request is not sent on a budget or timeout that could not be read, nor when
   * one may have been meant for it that is misspelt or in the wrong place.
   */
  readonly inherited: ReadonlyArray<DirectiveNode>
}

/** A value of the wrong shape has a diagnostic of the parser's and counts as absent here; see {@link RequestSettings}. */
export const readSettings = (prelude: PreludeNode, section: SectionNode): RequestSettings => {
  const inherited: Array<DirectiveNode> = prelude.directives.filter(
    ({ name }) => (directiveInfo(name.text)?.place ?? "section") === "section",
  )
  const own = (name: string) => section.directives.findLast((directive) => directive.name.text === name)
  const either = (name: string) => {
    const found = own(name)
    if (found !== undefined) return found
    const fromPrelude = prelude.directives.findLast((directive) => directive.name.text === name)
    if (fromPrelude !== undefined) inherited.push(fromPrelude)
    return fromPrelude
  }
  const read = <Value>(name: string, parse: (text: string) => Value | undefined): Value | undefined => {
    const directive = either(name)
    return directive === undefined ? undefined : parse(directive.value.text)
  }
  const budget = read("budget", wholeNumber)
  const timeout = read("timeout", parseDuration)
  const retry = read("retry", wholeNumber)
  const limit = read("limit", wholeNumber)
  const multicall = read("multicall", (text) => (text === "on" || text === "off" ? text : undefined))
  const network = withValue(either("network"))
  const compare = withValue(either("compare"))
  const environment = either("env")
  const transport = either("transport")
  const units = withValue(either("units"))
  const listen = either("for")
  const listenMillis = listen === undefined ? undefined : parseDuration(listen.value.text)
  const kind = transport === undefined ? undefined : transportKind(transport.value.text)
  return {
    inherited,
    settings: {
      all: either("all") !== undefined,
      unchecked: either("unchecked") !== undefined,
      skip: own("skip") !== undefined,
      only: own("only") !== undefined,
      tags: [...prelude.directives, ...section.directives]
        .filter((directive) => directive.name.text === "tag")
        .flatMap((directive) => directive.value.text.split(/[\s,]+/).filter((tag) => tag !== "")),
      refs: section.directives.filter(({ name, value }) => name.text === "ref" && isName(value.text)),
      each: withValue(own("each")),
      ignored: [...prelude.directives, ...section.directives].filter(
        ({ name, value }) => name.text === "ignore" && value.text !== "",
      ),
      budget,
      timeout,
      retry,
      limit,
      multicall,
      network,
      compare,
      environment,
      units,
      ...(listenMillis === undefined || listen === undefined
        ? {}
        : { listen: { millis: listenMillis, directive: listen } }),
      ...(kind === undefined || transport === undefined ? {} : { transport: { kind, directive: transport } }),
    },
  }
}

const withValue = (directive: DirectiveNode | undefined): DirectiveNode | undefined =>
  directive?.value.text === "" ? undefined : directive

const isName = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text)

const wholeNumber = (text: string): number | undefined => {
  const value = /^\d+$/.test(text) ? Number(text) : undefined
  return value !== undefined && Number.isSafeInteger(value) ? value : undefined
}

const transportKind = (text: string): "http" | "ws" | undefined => (text === "http" || text === "ws" ? text : undefined)
