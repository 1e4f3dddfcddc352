/** Open connections of one address. */
export interface Crowd<One> {
  /** Idle connections; the first connection has been idle for the longest. */
  readonly idle: Set<One>
  /** Connections on which a request's body has not arrived completely, the oldest first. */
  readonly halfSent: Set<One>
}

interface Sized<One> extends Crowd<One> {
  size: number
}

/** Open connections by address. The index finds the address with the most connections without reading all addresses. */
export class Crowds<One> {
  private readonly byAddress = new Map<string, Sized<One>>()
  /** The set at index `n` has the addresses with `n` connections. */
  private readonly bySize: Set<Sized<One>>[] = []

  /** Adds a connection of an address. */
  join(address: string): Crowd<One> {
    const crowd = this.byAddress.get(address) ?? { size: 0, idle: new Set(), halfSent: new Set() }
    this.byAddress.set(address, crowd)
    this.resize(crowd, crowd.size + 1)
    return crowd
  }

  /** Removes a connection of an address. */
  leave(address: string): void {
    const crowd = this.byAddress.get(address)
    if (crowd === undefined) return
    this.resize(crowd, crowd.size - 1)
    if (crowd.size === 0) this.byAddress.delete(address)
  }

  /**
   * Returns the connection to close, of the address with the most connections: the connection that has been idle for
   * the longest, or otherwise the oldest connection with an incomplete body. Skips addresses whose connections are all
   * busy. Returns undefined if all addresses are skipped.
   */
  givesUp(): One | undefined {
    for (let size = this.bySize.length - 1; size > 0; size--) {
      for (const { idle, halfSent } of this.bySize[size] ?? []) {
        const [first = [...halfSent][0]] = idle
        if (first !== undefined) return first
      }
    }
    return undefined
  }

  private resize(crowd: Sized<One>, size: number): void {
    this.bySize[crowd.size]?.delete(crowd)
    crowd.size = size
    if (size > 0) {
      this.bySize[size] ??= new Set()
      this.bySize[size].add(crowd)
    }
    // The search for the largest crowd starts at the last index, so empty sets at the end are removed.
    while (this.bySize.length > 0 && !this.bySize[this.bySize.length - 1]?.size) this.bySize.pop()
  }
}
