import { IntList } from '../columns/typed'
import type { PairView } from './linear'
import type { PairGraph } from './pair-graph'

const FREE = 0
const OUTER = 1
const INNER = 2

/**
 * Finds a partner for an exposed place (a place without a partner) by growing one alternating tree (Edmonds' blossom
 * algorithm, "Paths, trees, and flowers", 1965; contraction by union-find as in Gabow 1976). The tree finds an
 * augmenting path to another exposed place, or it exposes its youngest removable ticket instead. The sets of tickets
 * that can be paired are the independent sets of a matroid. So these exchanges lead to the set of served tickets that
 * is best by age: no older ticket could be served in place of a younger one.
 */
export class Blossom {
  private readonly label: Uint8Array
  private readonly parent: Int32Array
  /**
   * By place: the place to which a member of a blossom leads, plus 1; 0 where a place leads to itself. The array begins
   * with zeros, so that a large view needs no setup.
   */
  private readonly base: Int32Array
  private readonly visit: Int32Array
  private readonly touched = new IntList()
  private readonly queue = new IntList()
  private readonly near = new IntList()
  private visits = 0

  constructor(
    private readonly view: PairView,
    private readonly graph: PairGraph,
  ) {
    const { count } = view
    this.label = new Uint8Array(count)
    this.parent = new Int32Array(count)
    this.base = new Int32Array(count)
    this.visit = new Int32Array(count)
  }

  /**
   * Finds a partner for the place `root`, unless this would leave an older place without a partner. Labels about
   * `limit` places at most. Returns the place that has no partner afterwards: `root` when no partner was found, −1 when
   * every place of the tree has a partner.
   */
  serve(root: number, limit: number): number {
    const { mate } = this.view
    const { queue, near, label, parent } = this
    if (this.befriend(root)) return -1
    queue.clear()
    this.touched.clear()
    this.mark(root, OUTER)
    queue.push(root)
    for (let next = 0; next < queue.length && this.touched.length < limit; next++) {
      const outer = queue.data[next] as number
      this.graph.partners(outer, near, limit, false)
      for (let index = 0; index < near.length; index++) {
        const other = near.data[index] as number
        if (label[other] === FREE) {
          parent[other] = outer
          const partner = mate[other] as number
          if (partner === -1) {
            this.flip(other)
            this.reset()
            return -1
          }
          this.mark(other, INNER)
          this.mark(partner, OUTER)
          queue.push(partner)
        } else if (label[other] === OUTER && this.find(other) !== this.find(outer)) {
          const base = this.meet(outer, other)
          this.contract(outer, other, base)
          this.contract(other, outer, base)
        }
      }
    }
    return this.exchange(root)
  }

  /**
   * Pairs a place with a neighbour that has no partner, and returns whether such a neighbour exists. The search has no
   * limit, because completeness depends on it: most places get their partner here.
   */
  befriend(place: number): boolean {
    const { mate } = this.view
    this.graph.partners(place, this.near, 1, true)
    if (this.near.length === 0) return false
    const partner = this.near.data[0] as number
    mate[place] = partner
    mate[partner] = place
    return true
  }

  /**
   * Leaves the youngest outer place of the tree without a partner, instead of the root, if it is younger. Returns the
   * place without a partner.
   */
  private exchange(root: number): number {
    const { mate, columns, slots } = this.view
    let leaver = root
    for (let index = 0; index < this.touched.length; index++) {
      const place = this.touched.data[index] as number
      if (this.label[place] !== OUTER) continue
      if (columns.older(slots[leaver] as number, slots[place] as number)) leaver = place
    }
    if (leaver !== root) {
      const partner = mate[leaver] as number
      mate[leaver] = -1
      this.flip(partner)
    }
    this.reset()
    return leaver
  }

  private mark(place: number, label: number): void {
    this.label[place] = label
    this.touched.push(place)
  }

  /** Swaps paired and unpaired edges along the alternating path from `place` back to the root. */
  private flip(place: number): void {
    const { mate } = this.view
    for (let inner = place; inner !== -1; ) {
      const outer = this.parent[inner] as number
      const next = mate[outer] as number
      mate[inner] = outer
      mate[outer] = inner
      inner = next
    }
  }

  private find(place: number): number {
    const { base } = this
    let at = place
    for (let next = base[at] as number; next !== 0; next = base[at] as number) {
      const after = base[next - 1] as number
      if (after === 0) return next - 1
      base[at] = after
      at = after - 1
    }
    return at
  }

  /**
   * Returns the base of the blossom (a cycle of odd length) that an edge between the outer places `a` and `b` closes.
   */
  private meet(a: number, b: number): number {
    const { mate } = this.view
    const stamp = ++this.visits
    let here = this.find(a)
    let there = this.find(b)
    for (;;) {
      if (here !== -1) {
        if (this.visit[here] === stamp) return here
        this.visit[here] = stamp
        const inner = mate[here] as number
        here = inner === -1 ? -1 : this.find(this.parent[inner] as number)
      }
      const swap = here
      here = there
      there = swap
    }
  }

  private contract(from: number, across: number, base: number): void {
    const { mate } = this.view
    let place = from
    let link = across
    while (this.find(place) !== base) {
      this.parent[place] = link
      const inner = mate[place] as number
      if (this.label[inner] === INNER) {
        this.label[inner] = OUTER
        this.queue.push(inner)
      }
      if (this.base[place] === 0 && place !== base) this.base[place] = base + 1
      if (this.base[inner] === 0 && inner !== base) this.base[inner] = base + 1
      link = inner
      place = this.parent[inner] as number
    }
  }

  private reset(): void {
    for (let index = 0; index < this.touched.length; index++) {
      const place = this.touched.data[index] as number
      this.label[place] = FREE
      this.base[place] = 0
    }
  }
}
