/** Nodes of a graph that lead back to themselves, found in one pass over it: Tarjan's algorithm without recursion. */

/** Which cycle a node is on: nodes that lead to each other have the same number. What is on no cycle is missing. */
export const cyclesOf = <Node>(edges: ReadonlyMap<Node, ReadonlyArray<Node>>): ReadonlyMap<Node, number> => {
  const order = new Map<Node, number>()
  const lowest = new Map<Node, number>()
  const open: Array<Node> = []
  const isOpen = new Set<Node>()
  const cycles = new Map<Node, number>()
  let count = 0
  const enter = (node: Node): Step<Node> => {
    order.set(node, order.size)
    lowest.set(node, order.size - 1)
    open.push(node)
    isOpen.add(node)
    return { node, next: 0 }
  }
  const lower = (node: Node, to: number): void => {
    lowest.set(node, Math.min(lowest.get(node) ?? to, to))
  }
  const close = (root: Node): void => {
    const from = open.lastIndexOf(root)
    const group = open.splice(from)
    for (const node of group) isOpen.delete(node)
    if (group.length === 1 && !(edges.get(root) ?? []).includes(root)) return
    for (const node of group) cycles.set(node, count)
    count++
  }
  for (const start of edges.keys()) {
    if (order.has(start)) continue
    const steps = [enter(start)]
    for (let step = steps.at(-1); step !== undefined; step = steps.at(-1)) {
      const target = edges.get(step.node)?.[step.next++]
      if (target !== undefined) {
        if (!order.has(target)) steps.push(enter(target))
        else if (isOpen.has(target)) lower(step.node, order.get(target) ?? 0)
        continue
      }
      steps.pop()
      const above = steps.at(-1)
      if (above !== undefined) lower(above.node, lowest.get(step.node) ?? 0)
      if (lowest.get(step.node) === order.get(step.node)) close(step.node)
    }
  }
  return cycles
}

interface Step<Node> {
  readonly node: Node
  next: number
}
