import type { GameServer, Lobby, Match, Queue, QueueTicket } from '@matchyard/core'
import type { Commit } from '@matchyard/core/ports'
import type { Snapshot, View } from '@matchyard/testkit/simulation'

type Write = Commit['writes'][number]
type Versioned = { readonly version: number }

/** What the storage holds of lobbies and all that comes of them, as its commits say it. */
export class Rows {
  readonly servers = new Map<string, GameServer>()
  readonly lobbies = new Map<string, Lobby>()
  readonly matches = new Map<string, Match>()
  readonly tickets = new Map<string, QueueTicket>()
  readonly queues = new Map<string, Queue>()
  private readonly kept: Partial<Record<Write['kind'], Map<string, Versioned>>> = {
    server: this.servers as Map<string, Versioned>,
    lobby: this.lobbies as Map<string, Versioned>,
    match: this.matches as Map<string, Versioned>,
    ticket: this.tickets as Map<string, Versioned>,
    queue: this.queues as Map<string, Versioned>,
  }

  apply(write: Write): void {
    const rows = this.kept[write.kind]
    // One that was applied before: a commit whose answer did not come is made again.
    if (rows === undefined || (rows.get(write.id)?.version ?? 'absent') !== write.expected) return
    if ('put' in write) rows.set(write.id, write.put as Versioned)
    else rows.delete(write.id)
  }

  /** As core's invariants look at it. */
  seenAt(at: number): View {
    const { servers, lobbies, matches, tickets, queues } = this
    const now = { at, servers, lobbies, matches, tickets, queues } as Partial<Snapshot> as Snapshot
    return { now, before: undefined, history: new Map(), answers: [] }
  }
}
