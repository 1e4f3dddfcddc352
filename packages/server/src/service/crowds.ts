/** Open connections of one address. */
export interface Crowd<One> {
  /** Idle connections, the longest idle first. */
  readonly idle: Set<One>
  /** Connections that have not yet sent the whole body of a request, the oldest first. */
  readonly halfSent: Set<One>
}

interface Sized<One> extends Crowd<One> {
  size: number
}

/**
 * Connections by their addresses, indexed so that the address with the most connections is found without looking at all
 * of them.
 */
export class Crowds<One> {
  private readonly byAddress = new Map<string, Sized<One>>()
  /** At index `n`, the addresses that have `n` connections. */
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
   * Returns the connection to close first, from the address with the most: the longest idle one, or else the oldest
   * half-sent one. An address whose connections are all busy is skipped; undefined when all are.
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
    // The search starts at the largest index, so empty sets at the end are removed.
    while (this.bySize.length > 0 && !this.bySize[this.bySize.length - 1]?.size) this.bySize.pop()
  }
}
