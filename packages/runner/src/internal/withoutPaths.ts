/** A value without the parts that are not compared. */
import type { SnapshotPath } from "@dotrpc/analysis"
import { Json } from "@dotrpc/spec"

/** An item that is left out becomes `null` and keeps its place, so that the ones after it are compared with their own. */
export const withoutPaths = (value: Json.Json, paths: ReadonlyArray<SnapshotPath>): Json.Json => {
  const left = (item: Json.Json, rest: ReadonlyArray<SnapshotPath>): Json.Json | undefined =>
    rest.some((path) => path.length === 0) ? undefined : withoutPaths(item, rest)
  if (paths.length === 0) return value
  if (Json.isArray(value)) return value.map((item, index) => left(item, pathsBelow(paths, index)) ?? null)
  if (!Json.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      const found = left(item, pathsBelow(paths, name))
      return found === undefined ? [] : [[name, found]]
    }),
  )
}

/** The paths inside one member or item. */
export const pathsBelow = (paths: ReadonlyArray<SnapshotPath>, name: string | number): ReadonlyArray<SnapshotPath> =>
  paths.filter(([first]) => first === "*" || first === name).map((path) => path.slice(1))
