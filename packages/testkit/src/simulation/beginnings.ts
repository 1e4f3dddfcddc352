import { isProposed } from '@matchyard/core/domain'
import { heldIn, holdKey } from './invariants/held'
import type { Snapshot } from './invariants/snapshot'

/** Order in which searches and holds of players first stood in the store. Each snapshot after a write has a number. */
export class Beginnings {
  private readonly first = new Map<string, number>()
  private looks = 0

  /** Records the searches, and the made matches that hold players, of a snapshot. Returns the numbers by key. */
  note(now: Pick<Snapshot, 'lobbies' | 'matches'>): ReadonlyMap<string, number> {
    this.looks++
    for (const { status, ticket } of now.lobbies.values()) {
      if (status === 'in_queue' && ticket !== null) this.begin(ticket.id)
    }
    for (const { playerId, match } of heldIn(now)) if (!isProposed(match)) this.begin(holdKey(match.id, playerId))
    return this.first
  }

  private begin(key: string): void {
    if (!this.first.has(key)) this.first.set(key, this.looks)
  }
}
