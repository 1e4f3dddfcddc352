interface Held {
  readonly address: string
  readonly bytes: number
}

/** What is held for one address; what has been held for the longest first. */
interface OfAddress<One> {
  bytes: number
  readonly held: Set<One>
}

/** Bytes that are held for callers, up to a bound. Past it the address with the most gives up what has been held for the longest. */
export class HeldBytes<One> {
  private readonly held = new Map<One, Held>()
  private readonly addresses = new Map<string, OfAddress<One>>()
  bytes = 0

  constructor(
    private readonly maxBytes: number,
    private readonly cutOff: (one: One) => void,
  ) {}

  /** Counts so many bytes for `one`, in place of what was counted for it before. */
  add(one: One, address: string, bytes: number): void {
    this.remove(one)
    const ofAddress = this.addresses.get(address) ?? { bytes: 0, held: new Set() }
    this.addresses.set(address, ofAddress)
    this.held.set(one, { address, bytes })
    ofAddress.held.add(one)
    ofAddress.bytes += bytes
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
    ofAddress.bytes -= held.bytes
    ofAddress.held.delete(one)
    if (ofAddress.held.size === 0) this.addresses.delete(held.address)
  }

  private shed(): void {
    let most: OfAddress<One> | undefined
    for (const one of this.addresses.values()) if (most === undefined || one.bytes > most.bytes) most = one
    const [longest] = most?.held ?? []
    if (longest === undefined) return
    this.remove(longest)
    this.cutOff(longest)
  }
}
