/** Number of neighbours examined between two yields of the generator. */
const LOOKS = 1 << 13

/**
 * Assigns a different neighbour to each node of a bipartite graph, as far as possible (augmenting paths, breadth
 * first). The first node is served if it has a neighbour, then the second node if both nodes can be served, and so on.
 * A served node stays served, perhaps with another neighbour. `edges` holds the neighbours of each node, the best
 * first, as numbers below `count`. Returns the neighbour of each node, −1 for no neighbour. Stops when `most` nodes are
 * served.
 */
export function* serveInOrder(
  edges: readonly (readonly number[])[],
  count: number,
  most: number,
): Generator<undefined, Int32Array, undefined> {
  const given = new Int32Array(edges.length).fill(-1)
  /**
   * By neighbour: the node that has the neighbour, the node from which the search reached it, and whether the search
   * has examined it.
   */
  const holder = new Int32Array(count).fill(-1)
  const reached = new Int32Array(count)
  const seen = new Uint8Array(count)
  let served = 0
  let looks = 0
  for (let asking = 0; asking < edges.length && served < most; asking++) {
    const queue = [asking]
    const looked: number[] = []
    let free = -1
    for (let at = 0; at < queue.length && free < 0; at++) {
      for (const neighbour of edges[queue[at] as number] as readonly number[]) {
        looks++
        if (seen[neighbour] === 1) continue
        seen[neighbour] = 1
        looked.push(neighbour)
        reached[neighbour] = queue[at] as number
        if ((holder[neighbour] as number) < 0) {
          free = neighbour
          break
        }
        queue.push(holder[neighbour] as number)
      }
    }
    if (looks > LOOKS) {
      looks = 0
      yield
    }
    // A neighbour that did not lead to a free neighbour will not do so for later nodes either, so it stays marked as
    // examined.
    if (free < 0) continue
    served++
    for (const neighbour of looked) seen[neighbour] = 0
    for (let neighbour = free; neighbour >= 0; ) {
      const taker = reached[neighbour] as number
      const before = given[taker] as number
      given[taker] = neighbour
      holder[neighbour] = taker
      neighbour = before
    }
  }
  return given
}
