/** Reader for which bytes wait because its socket is full. `drop` ends the reader's stream, and must call `WaitingBytes.remove`. */
export interface Waiting {
  readonly keyId: string | undefined
  drop(): void
}

interface Held {
  /** Object that identifies the bytes, so that readers who share them are counted once. */
  readonly chunk: object
  readonly chunkBytes: number
  /** Bytes that wait for this reader alone. */
  readonly ownBytes: number
}

/** Waiting bytes of the whole node, or of one API key, with the readers that they wait for. */
class Scope {
  bytes = 0
  /** Readers for which bytes wait, and their bytes. The reader that has waited for the longest time comes first. */
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

  /** Ends the stream of the reader that has waited for the longest time. */
  dropLongest(): void {
    const [longest] = this.held.keys()
    longest?.drop()
  }
}

/** Name of the key for readers without an API key, such as those of an embedding application. */
const NO_KEY = ''

/** Counts the bytes that wait for readers. Bytes for which several readers wait are in memory only once, so they count once. */
export class WaitingBytes {
  private readonly node = new Scope()
  private readonly keys = new Map<string, Scope>()

  constructor(private readonly limits: { readonly waitingBytes: number; readonly waitingBytesPerKey: number }) {}

  get bytes(): number {
    return this.node.bytes
  }

  /**
   * Adds the bytes that wait for a reader. Above the bound of an API key, the readers of that key that have waited for the longest time are
   * disconnected. Above the bound of the node, the same happens to the readers of the key with the most waiting bytes. The given reader may
   * be among the disconnected readers.
   */
  add(waiting: Waiting, chunk: object, chunkBytes: number, ownBytes: number): void {
    this.remove(waiting)
    const held = { chunk, chunkBytes, ownBytes }
    const { keyId = NO_KEY } = waiting
    const key = this.keys.get(keyId) ?? new Scope()
    this.keys.set(keyId, key)
    this.node.add(waiting, held)
    key.add(waiting, held)
    const { waitingBytes, waitingBytesPerKey } = this.limits
    while (keyId !== NO_KEY && key.bytes > waitingBytesPerKey) key.dropLongest()
    while (this.node.bytes > waitingBytes) this.largestKey()?.dropLongest()
  }

  remove(waiting: Waiting): void {
    this.node.remove(waiting)
    const { keyId = NO_KEY } = waiting
    const key = this.keys.get(keyId)
    key?.remove(waiting)
    if (key?.held.size === 0) this.keys.delete(keyId)
  }

  private largestKey(): Scope | undefined {
    let largest: Scope | undefined
    for (const key of this.keys.values()) if (largest === undefined || key.bytes > largest.bytes) largest = key
    return largest
  }
}
