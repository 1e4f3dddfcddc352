import type { GameServer, Lobby, Match, Queue, QueueTicket } from '@matchyard/core'
import type { Commit } from '@matchyard/core/ports'
import type { Snapshot, View } from '@matchyard/testkit/simulation'

type Write = Commit['writes'][number]
type Versioned = { readonly version: number }

/** Lobbies and all related rows of the storage, rebuilt from its commits. */
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
    // Skips a write that was applied before: a commit whose answer was lost is repeated.
    if (rows === undefined || (rows.get(write.id)?.version ?? 'absent') !== write.expected) return
    if ('put' in write) rows.set(write.id, write.put as Versioned)
    else rows.delete(write.id)
  }

  /** Returns the rows in the form that core's invariants read. */
  seenAt(at: number): View {
    const { servers, lobbies, matches, tickets, queues } = this
    const now = { at, servers, lobbies, matches, tickets, queues } as Partial<Snapshot> as Snapshot
    return { now, before: undefined, history: new Map(), answers: [] }
  }
}
