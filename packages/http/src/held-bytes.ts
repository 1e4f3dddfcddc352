interface Held {
  readonly address: string
  readonly bytes: number
}

/** Bytes that are held for one address. `held` is ordered by the time of the last `add`, the oldest first. */
interface OfAddress<One> {
  bytes: number
  readonly held: Set<One>
}

/**
 * Counts the bytes of the items (answers or bodies) that are held in memory for callers, up to a bound. Beyond the
 * bound, it takes an address that holds the most bytes (no other address holds twice as many), and cuts off the oldest
 * item of that address. Addresses are grouped by their bytes, so that this address is found without reading all
 * addresses.
 */
export class HeldBytes<One> {
  private readonly held = new Map<One, Held>()
  private readonly addresses = new Map<string, OfAddress<One>>()
  /** Groups of addresses. In the group at index `n`, each address holds at least 2^n bytes, and less than 2^(n + 1). */
  private readonly bySize: Set<OfAddress<One>>[] = []
  bytes = 0

  constructor(
    private readonly maxBytes: number,
    private readonly cutOff: (one: One) => void,
  ) {}

  /** Sets the bytes of `one`, and replaces its earlier count. `one` then counts as the item that was added last. */
  add(one: One, address: string, bytes: number): void {
    this.remove(one)
    const ofAddress = this.addresses.get(address) ?? { bytes: 0, held: new Set() }
    this.addresses.set(address, ofAddress)
    this.held.set(one, { address, bytes })
    ofAddress.held.add(one)
    this.resize(ofAddress, ofAddress.bytes + bytes)
    this.bytes += bytes
    while (this.bytes > this.maxBytes) this.shed()
  }

  remove(one: One): void {
    const held = this.held.get(one)
    if (held === undefined) return
    this.held.delete(one)
    this.bytes -= held.bytes
    const ofAddress = this.addresses.get(held.address)
    if (ofAddress === undefined) return
    ofAddress.held.delete(one)
    this.resize(ofAddress, ofAddress.bytes - held.bytes)
    if (ofAddress.held.size === 0) this.addresses.delete(held.address)
  }

  /** Number of addresses for which bytes are held. */
  get addressCount(): number {
    return this.bySize.reduce((sum, addresses) => sum + addresses.size, 0)
  }

  private resize(ofAddress: OfAddress<One>, bytes: number): void {
    this.bySize[sizeOf(ofAddress.bytes)]?.delete(ofAddress)
    ofAddress.bytes = bytes
    if (ofAddress.held.size === 0) return
    const size = sizeOf(bytes)
    while (this.bySize.length <= size) this.bySize.push(new Set())
    this.bySize[size]?.add(ofAddress)
  }

  private shed(): void {
    const largest = this.bySize.findLast((addresses) => addresses.size > 0)
    const [ofAddress] = largest ?? []
    const [longest] = ofAddress?.held ?? []
    if (longest === undefined) return
    this.remove(longest)
    this.cutOff(longest)
  }
}

/** Returns the index of the group in `bySize`: the logarithm of the bytes to the base 2, rounded down. */
const sizeOf = (bytes: number) => Math.floor(Math.log2(Math.max(1, bytes)))
