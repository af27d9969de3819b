/** Over a method's name: what it does, what it costs here, and where it goes. */
import { offsetAt } from "@dotrpc/lang"
import { rangeOf } from "@dotrpc/lang-service"
import { Price } from "@dotrpc/spec"
import * as vscode from "vscode"

import type { Analyses } from "./Analyses.ts"
import { selector, toRange } from "./ranges.ts"

export const provideHovers = (analyses: Analyses): vscode.Disposable =>
  vscode.languages.registerHoverProvider(selector, {
    provideHover: (document, position) => {
      const { analysis, lines } = analyses.of(document)
      const offset = offsetAt(lines, position)
      const request = analysis.requests.find(({ call: { method } }) => method.start <= offset && offset <= method.end)
      if (request?.method === undefined) return undefined
      const { method, network, price } = request
      const facts = [
        ...(price === undefined ? [] : [Price.show(price)]),
        ...(network === undefined ? [] : [`network \`${network.id}\``]),
        `plugin \`${method.plugin}\``,
      ]
      const text = new vscode.MarkdownString(
        [`**${method.name}** · ${facts.join(" · ")}`, method.summary, "---", method.docs].join("\n\n"),
      )
      return new vscode.Hover(text, toRange(rangeOf(lines, request.call.method)))
    },
  })
