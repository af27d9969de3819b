/** The values of named requests, from their last runs. */
import type { NamedResults } from "@dotrpc/analysis"
import { isAnswered, namedResult, type RequestReport } from "@dotrpc/runner"
import type { Json } from "@dotrpc/spec"
import type * as vscode from "vscode"

import type { Results } from "./Results.ts"

/** Of a file; a request is known by the name that it has now. */
export const namedResults = (uri: vscode.Uri, results: Results): NamedResults =>
  new Map(results.of(uri).flatMap(({ report, request }) => named(request?.name, report)))

const named = (
  name: string | undefined,
  report: RequestReport | undefined,
): ReadonlyArray<readonly [string, Json.Json]> =>
  report === undefined || name === undefined || !isAnswered(report) ? [] : [[name, namedResult(report)]]
