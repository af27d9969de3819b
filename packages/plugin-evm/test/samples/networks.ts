/** Networks of the tests: one that takes every tag, and one without `safe` and `pending`. */
import { defineNetwork } from "@dotrpc/spec"

export const everyTag = defineNetwork({ id: "every-tag", plugin: "evm" })

export const fewTags = defineNetwork({
  id: "few-tags",
  plugin: "evm",
  blockTags: ["latest", "earliest", "finalized"],
})

export const nearHead = defineNetwork({ id: "near-head", plugin: "evm", historyDepth: 128 })
