/** What the names of requests lead to, from their last runs. */
import type { NamedResults } from "@dotrpc/analysis"
import type { RequestReport } from "@dotrpc/runner"
import type { Json } from "@dotrpc/spec"
import type * as vscode from "vscode"

import type { Results } from "./Results.ts"

export const namedResults = (uri: vscode.Uri, results: Results): NamedResults =>
  new Map(
    results.of(uri).flatMap(({ report, request }) => {
      if (report === undefined || request?.name === undefined || report.status !== "ok") return []
      return [[request.name, valueOf(report)] as const]
    }),
  )

const valueOf = ({ result, credits, ms, calls }: RequestReport): Json.Json => ({
  result: result ?? null,
  error: null,
  credits,
  ms,
  calls,
})
