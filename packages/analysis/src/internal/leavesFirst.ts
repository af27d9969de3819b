/** The order of things that depend on each other. */

/**
 * A node and everything that it leads to, each once and after what it leads to itself, but without those that are done.
 * On a cycle the order is as it comes. Without recursion: a chain may be as long as a file.
 */
export const leavesFirst = <Node>(
  root: Node,
  edges: { readonly get: (node: Node) => ReadonlyArray<Node> | undefined },
  done: Pick<ReadonlySet<Node>, "has"> = new Set(),
): ReadonlyArray<Node> => {
  if (done.has(root)) return []
  const seen = new Set([root])
  const order: Array<Node> = []
  const steps = [{ node: root, next: 0 }]
  for (let step = steps.at(-1); step !== undefined; step = steps.at(-1)) {
    const targets = edges.get(step.node) ?? []
    const target = targets[step.next++]
    if (step.next > targets.length) {
      order.push(step.node)
      steps.pop()
    } else if (target !== undefined && !seen.has(target) && !done.has(target)) {
      seen.add(target)
      steps.push({ node: target, next: 0 })
    }
  }
  return order
}
