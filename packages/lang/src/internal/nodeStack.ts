/**
 * Collects the children of nodes within nodes, and gives each node a list of exactly as many as it has: one that grows by
 * itself keeps room for sixteen more, which in small arrays and objects outweighs the rest of the node.
 */
export class NodeStack<Node> {
  /** How many nodes are on it. */
  height = 0
  readonly #nodes: Array<Node> = []

  push(node: Node): void {
    this.#nodes[this.height++] = node
  }

  /** Takes off everything above a height, in the order in which it came. */
  takeAbove(height: number): ReadonlyArray<Node> {
    const taken = this.#nodes.slice(height, this.height)
    this.height = height
    return taken
  }
}
