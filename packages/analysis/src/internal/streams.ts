/** Problems of a request that listens to a subscription, or of `# @for` in one that does not. */
import type { CallNode, Diagnostic, SectionNode } from "@dotrpc/lang"
import { isStream, type Method, type Network } from "@dotrpc/spec"
import { problem, replacement } from "../Problem.ts"
import type { Settings } from "../Settings.ts"
import type { Workspace } from "../Workspace.ts"

export const streamDiagnostics = (
  section: SectionNode,
  call: CallNode,
  settings: Settings,
  method: Method | undefined,
  network: Network | undefined,
  workspace: Workspace,
): ReadonlyArray<Diagnostic> => {
  if (method === undefined) return []
  const own = section.directives.find(({ name }) => name.text === "for")
  if (!isStream(method)) {
    if (own === undefined) return []
    const message = `${method.name} opens no subscription, so there is nothing to listen to: remove @for`
    return [problem("A320", own, message, replacement("Remove @for", own, ""))]
  }
  const found: Array<Diagnostic> = []
  if (settings.listen === undefined && settings.limit === undefined && own === undefined)
    found.push(
      problem("A320", call.method, `${method.name} listens without an end: add # @for 10m, or # @limit 100`, {
        title: "Listen for 1 minute (adds # @for 1m)",
        edits: [{ start: call.start, end: call.start, text: "# @for 1m\n" }],
      }),
    )
  const isUsable = workspace.networks.some((entry) => entry.network === network && entry.problem === undefined)
  if (network !== undefined && isUsable && network.wsUrl === undefined)
    found.push(
      problem(
        "A303",
        settings.network?.value ?? call.method,
        `network "${network.id}" has no WebSocket endpoint, which ${method.name} needs: give it a "wsUrl" in rpc.config.json`,
      ),
    )
  if (settings.transport?.kind === "http")
    found.push(
      problem("A303", settings.transport.directive.value, `${method.name} needs a WebSocket: remove @transport`),
    )
  return found
}
