/** Who waits: dropping it must release it. */
export interface Waiting {
  readonly keyId: string | undefined
  drop(): void
}

interface Held {
  /** The bytes themselves, by which those who share them are known. */
  readonly chunk: object
  readonly chunkBytes: number
  /** Bytes that are this one's alone. */
  readonly ownBytes: number
}

/** What waits in one scope, the node or one of its keys. */
class Scope {
  bytes = 0
  /** In the order in which they began to wait. */
  readonly held = new Map<Waiting, Held>()
  private readonly holders = new Map<object, number>()

  add(waiting: Waiting, held: Held): void {
    this.held.set(waiting, held)
    const holders = this.holders.get(held.chunk) ?? 0
    this.holders.set(held.chunk, holders + 1)
    this.bytes += held.ownBytes + (holders === 0 ? held.chunkBytes : 0)
  }

  remove(waiting: Waiting): void {
    const held = this.held.get(waiting)
    if (held === undefined) return
    this.held.delete(waiting)
    const holders = (this.holders.get(held.chunk) ?? 1) - 1
    if (holders === 0) this.holders.delete(held.chunk)
    else this.holders.set(held.chunk, holders)
    this.bytes -= held.ownBytes + (holders === 0 ? held.chunkBytes : 0)
  }

  /** Drops those that have waited longest until the rest fits. */
  shed(maxBytes: number): void {
    for (const waiting of [...this.held.keys()]) {
      if (this.bytes <= maxBytes) return
      waiting.drop()
    }
  }
}

/** The bytes that wait for readers who do not take them. Bytes that many wait for are there once, and count once. */
export class WaitingBytes {
  private readonly node = new Scope()
  private readonly keys = new Map<string, Scope>()

  constructor(private readonly limits: { readonly waitingBytes: number; readonly waitingBytesPerKey: number }) {}

  get bytes(): number {
    return this.node.bytes
  }

  /** One more waits; where that is too much, those that stall longest are dropped, it may be this one. */
  add(waiting: Waiting, chunk: object, chunkBytes: number, ownBytes: number): void {
    this.remove(waiting)
    const held = { chunk, chunkBytes, ownBytes }
    this.node.add(waiting, held)
    if (waiting.keyId !== undefined) {
      const key = this.keys.get(waiting.keyId) ?? new Scope()
      this.keys.set(waiting.keyId, key)
      key.add(waiting, held)
      if (key.bytes > this.limits.waitingBytesPerKey) key.shed(this.limits.waitingBytesPerKey)
    }
    if (this.node.bytes > this.limits.waitingBytes) this.node.shed(this.limits.waitingBytes)
  }

  remove(waiting: Waiting): void {
    this.node.remove(waiting)
    if (waiting.keyId === undefined) return
    const key = this.keys.get(waiting.keyId)
    key?.remove(waiting)
    if (key?.held.size === 0) this.keys.delete(waiting.keyId)
  }
}
