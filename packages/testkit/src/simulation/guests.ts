/**
 * Ids of guests: players who are erased in the course of a run. After the erasure of a guest, no call uses the guest's
 * id.
 */
export const GUESTS = ['gus', 'gia', 'gil'] as const

/**
 * Counts the pending calls of guests and records their erasures. An erasure covers only earlier actions, so it waits
 * until the guest's calls have ended.
 */
export class Guests {
  private readonly doing = new Map<string, number>()
  private readonly leaving = new Set<string>()
  /** Guests whose erasure was acknowledged. */
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

  /** Returns whether no call of the guest is pending. If so, the guest makes no further calls. */
  leave(playerId: string): boolean {
    if ((this.doing.get(playerId) ?? 0) > 0) return false
    this.leaving.add(playerId)
    return true
  }

  /** Clears the recorded erasures, because the storage returned to an earlier state and may have lost them. */
  startOver(): void {
    this.erased.clear()
  }
}
