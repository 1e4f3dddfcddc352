/** Players who come now and then, until somebody has them erased: from then on nobody does anything in their name. */
export const GUESTS = ['gus', 'gia', 'gil'] as const

/** What is known of the guests: an erasure holds for what was done before it, so it waits for what a guest is doing. */
export class Guests {
  private readonly doing = new Map<string, number>()
  private readonly leaving = new Set<string>()
  /** Those whose erasure was acknowledged. */
  readonly erased = new Set<string>()

  mayCome(playerId: string): boolean {
    return !this.leaving.has(playerId)
  }

  async does<T>(playerId: string, work: () => Promise<T>): Promise<T> {
    this.doing.set(playerId, (this.doing.get(playerId) ?? 0) + 1)
    try {
      return await work()
    } finally {
      this.doing.set(playerId, (this.doing.get(playerId) ?? 0) - 1)
    }
  }

  /** Whether nothing of theirs is under way; if so, they never come again. */
  leave(playerId: string): boolean {
    if ((this.doing.get(playerId) ?? 0) > 0) return false
    this.leaving.add(playerId)
    return true
  }

  /** The storage went back: what was acknowledged may never have been. */
  startOver(): void {
    this.erased.clear()
  }
}
