/** The rules for a plugin as a whole. */
import { defineNetwork, type Plugin, pluginClashes, pluginProblem, Redaction } from "@dotrpc/spec"
import type { Check } from "../Check.ts"
import { expect, fail } from "./expect.ts"

export const pluginChecks = (plugin: Plugin): ReadonlyArray<Check> => [
  {
    name: "the plugin has the shape of one",
    run: () => {
      const problem = pluginProblem(plugin)
      if (problem !== undefined) fail(problem)
    },
  },
  {
    name: "the plugin has a title, a paragraph of documentation and a method",
    run: () => {
      expect(plugin.title.trim() !== "", "the title is empty")
      expect(plugin.docs.trim() !== "", "the docs are empty")
      expect(plugin.methods.length > 0, "there is no method")
    },
  },
  {
    name: "names are unique and can be written in a .rpc file",
    run: () => {
      for (const { message } of pluginClashes([plugin])) fail(message)
      unique(
        "function",
        plugin.functions.map((entry) => entry.name),
      )
      unique(
        "network",
        plugin.networks.map((network) => network.id),
      )
      for (const { name } of plugin.methods)
        expect(
          /^[A-Za-z_][\w.:/-]*$/.test(name),
          `a call cannot be written with the method name ${JSON.stringify(name)}`,
        )
      for (const { name } of plugin.functions)
        expect(/^[A-Za-z_]\w*$/.test(name), `an expression cannot call a function named ${JSON.stringify(name)}`)
    },
  },
  {
    name: "networks belong to the plugin, and their URLs contain no key",
    run: () => {
      for (const network of plugin.networks) {
        const { id } = network
        expect(/^[\w-]+$/.test(id), `the network id ${JSON.stringify(id)} is not made of letters, digits, "-" and "_"`)
        expect(network.plugin === plugin.id, `network "${id}" says it belongs to "${network.plugin}"`)
        const names = new Set(plugin.methods.map((method) => method.name))
        for (const [name, credits] of Object.entries(network.credits ?? {})) {
          expect(names.has(name), `network "${id}" has a price for ${name}, which is not a method of the plugin`)
          expect(isCredits(credits), `network "${id}": the price of ${name} is not a whole number, 0 or more`)
        }
        for (const url of [network.url, network.wsUrl]) if (url !== undefined) publicUrl(id, url)
        expect(defineNetwork(network).title !== "", `network "${id}" has an empty title`)
      }
    },
  },
]

/** Whole credits: what a price may be. */
export const isCredits = (credits: number): boolean => Number.isInteger(credits) && credits >= 0

/** A preset is printed, completed and published, so its URL must be one that everybody may know. */
const publicUrl = (id: string, url: string): void => {
  if (/^embedded:[\w-]+$/.test(url)) return
  expect(URL.canParse(url), `network "${id}" has a "url" that is not a URL`)
  const known = Redaction.secretsOfUrl(url).length - Redaction.secretsOfUrl(new URL(url).origin).length
  expect(known <= 0, `the URL of network "${id}" may contain a key: leave it to rpc.config.json`)
}

const unique = (what: string, names: ReadonlyArray<string>): void => {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) fail(`two ${what}s are named ${twice}`)
}
