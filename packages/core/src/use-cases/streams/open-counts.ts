/** How many streams are open, on the node and with each of its keys. */
export class OpenCounts {
  private all = 0
  private readonly byKey = new Map<string, number>()

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
    return keyId !== undefined && (this.byKey.get(keyId) ?? 0) >= this.limits.openPerKey
  }

  add(keyId: string | undefined): void {
    this.all++
    if (keyId !== undefined) this.byKey.set(keyId, (this.byKey.get(keyId) ?? 0) + 1)
  }

  remove(keyId: string | undefined): void {
    this.all--
    if (keyId === undefined) return
    const left = (this.byKey.get(keyId) ?? 1) - 1
    if (left === 0) this.byKey.delete(keyId)
    else this.byKey.set(keyId, left)
  }
}
