/** The rules for every subscription. */
import { type Plugin, type Subscription } from "@dotrpc/spec"
import type { Check, Settings } from "../Check.ts"
import { anyJson, wordsOf } from "./arbitraries.ts"
import { expect, fail } from "./expect.ts"
import { law } from "./law.ts"
import { methodChecks } from "./methodChecks.ts"

export const subscriptionChecks = (
  plugin: Plugin,
  subscription: Subscription,
  settings: Settings,
): ReadonlyArray<Check> => {
  const { close, item, itemIssue, name, notification, open, samples } = subscription
  const words = wordsOf(plugin)
  const check = (what: string, run: () => void): Check => ({ name: `subscription ${name}: ${what}`, run })
  return [
    // A method opens it, and follows the rules of methods.
    ...methodChecks(plugin, open, settings).map((own) => ({ ...own, name: `subscription ${name}: ${own.name}` })),
    check("has a name, and a method to end it", () => {
      expect(/^[A-Za-z_][\w.:/-]*$/.test(name), `it cannot be named ${JSON.stringify(name)}`)
      expect(close.name !== "", "the method that ends it has no name")
      expect(close.name !== open.name, "it is ended by the method that opens it")
      expect(notification !== "", "its notifications have no method")
      for (const id of ["0x9ce59a13059e417087c02d3236a0b1cc", 23_784])
        expect(
          close.issues([id], { id: "any", plugin: plugin.id, title: "any", secrets: [] }).length === 0,
          `it cannot be ended with the id ${JSON.stringify(id)}`,
        )
    }),
    check("has samples of its events, which fit its schema", () => {
      expect(samples.length > 0, "there is no sample of an event")
      for (const { item: sample, title } of samples) {
        expect(title.trim() !== "", "a sample has no title")
        const issue = itemIssue(sample)
        if (issue !== undefined) fail(`sample "${title}": ${issue.message}`)
      }
      expect(item !== undefined, "there is no schema of an event")
    }),
    check("no event makes it throw", () =>
      law(settings, anyJson(words), (event) => {
        const issue = itemIssue(event)
        if (issue !== undefined) expect(issue.message !== "", "an issue has no message")
      }),
    ),
  ]
}
