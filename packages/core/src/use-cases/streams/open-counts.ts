/** A stream that takes a place. */
export interface Placed {
  readonly keyId: string | undefined
  close(): void
}

/** How many streams are open, on the node and with each of its keys, and which of a key. */
export class OpenCounts {
  private all = 0
  private readonly byKey = new Map<string, Set<Placed>>()

  constructor(private readonly limits: { readonly open: number; readonly openPerKey: number }) {}

  get open(): number {
    return this.all
  }

  /** The keys that have streams open. */
  get keyIds(): readonly string[] {
    return [...this.byKey.keys()]
  }

  isFull(keyId: string | undefined): boolean {
    if (this.all >= this.limits.open) return true
    return keyId !== undefined && (this.byKey.get(keyId)?.size ?? 0) >= this.limits.openPerKey
  }

  add(stream: Placed): void {
    this.all++
    const { keyId } = stream
    if (keyId === undefined) return
    const streams = this.byKey.get(keyId) ?? new Set()
    this.byKey.set(keyId, streams.add(stream))
  }

  remove(stream: Placed): void {
    this.all--
    const { keyId } = stream
    if (keyId === undefined) return
    const streams = this.byKey.get(keyId)
    streams?.delete(stream)
    if (streams?.size === 0) this.byKey.delete(keyId)
  }

  /** Ends the streams of a key, of whatever kind. */
  endOf(keyId: string): void {
    for (const stream of [...(this.byKey.get(keyId) ?? [])]) stream.close()
  }
}
