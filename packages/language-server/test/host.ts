/** Projects of files in memory, for a server to read. */
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import type { SessionHost } from "@dotrpc/session"
import { definePlugin, type Plugin } from "@dotrpc/spec"

/** A secret's value that no message may hold. */
export const canary = "canary-77d0be21fa"

export interface Files {
  [uri: string]: string
}

/** A plugin of which one method fails when its docs are asked for, with a secret in the message. */
export const brokenPlugin: Plugin = {
  ...definePlugin({ id: "broken", title: "Broken", docs: "Fails.", methods: [] }),
  methods: [
    Object.defineProperty({ ...Evm.GetLogs, plugin: "broken", name: "broken_docs" }, "docs", {
      enumerable: true,
      get: () => {
        throw new Error(`no docs for ${canary}`)
      },
    }),
  ],
}

export const makeHost = (files: Files): SessionHost => ({
  trust: () => Promise.resolve({ refusals: [] }),
  plugins: () => Promise.resolve({ plugins: [Evm.plugin, L2Events.plugin], problems: [] }),
  findConfig: (document) => {
    for (let folder = parent(document); folder !== "file://"; folder = parent(folder)) {
      if (files[`${folder}/rpc.config.json`] !== undefined) return Promise.resolve(`${folder}/rpc.config.json`)
    }
    return Promise.resolve(undefined)
  },
  readFile: (file) => Promise.resolve(files[file]),
  listFolder: (folder) =>
    Promise.resolve(
      Object.keys(files).flatMap((uri) => (parent(uri) === folder.slice(0, -1) ? uri.slice(folder.length) : [])),
    ),
  listFiles: (folder) =>
    Promise.resolve(Object.keys(files).filter((uri) => uri.startsWith(folder) && uri.endsWith(".rpc"))),
  variables: () =>
    Promise.resolve({
      env: (name) => ({ REGION: "north", API_KEY: canary, HIDDEN: `${canary}-hidden` })[name],
      envNames: ["REGION"],
      secretNames: ["API_KEY"],
    }),
  now: () => 1_700_000_000_000,
})

const parent = (uri: string): string => uri.slice(0, Math.max("file://".length, uri.lastIndexOf("/")))
