/** Which configuration applies, whatever lies in its place. */
import { aFolder, type FileText, notRegular, tooLarge } from "@dotrpc/analysis"
import { describe, expect, test } from "vitest"
import { nearestConfig } from "../../src/project/nearestConfig.ts"

async function* folders() {
  yield* ["file:///a/b/c/", "file:///a/b/", "file:///a/"]
}

describe("the configuration that applies", () => {
  const check = (what: string, files: Readonly<Record<string, FileText>>, expected: string | undefined) =>
    test(what, async () => {
      const found = await nearestConfig(folders(), (uri) => Promise.resolve(files[uri]))
      expect(found).toEqual(expected === undefined ? undefined : { uri: expected, text: files[expected] })
    })
  const near = "file:///a/b/c/rpc.config.json"
  const far = "file:///a/rpc.config.json"
  check("is none where there is none", {}, undefined)
  check("is the nearest one", { [near]: "{}", [far]: "{}" }, near)
  check("may be further up", { [far]: "{}" }, far)
  check("may be empty", { [near]: "", [far]: "{}" }, near)
  check("may be a folder", { [near]: aFolder, [far]: "{}" }, near)
  check("may be a pipe", { [near]: notRegular, [far]: "{}" }, near)
  check("may be too large", { [near]: tooLarge(), [far]: "{}" }, near)
  check("may be one that nobody may read", { [near]: { problem: "cannot be read" }, [far]: "{}" }, near)
})
