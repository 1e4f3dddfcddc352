import { PRESENCE_AT_ONCE, type Storage } from '../ports/storage/index'
import { SECOND_MS } from '../shared/time'

/** Milliseconds between two writes of the players whom calls named. */
const HEARD_EVERY_MS = SECOND_MS
/** Maximum number of players who are remembered between two writes. */
const MAX_HEARD = 100_000

/** Kind of the caller that named a player. It is also the member of the player's scope. */
export type NamedBy = 'client' | 'backend'

/** Presence of a player or a process, as the storage takes it. */
export interface Sighting {
  readonly scope: string
  readonly member: string
  readonly at: number
}

/** Instant at which a player was last heard in a project, and the kind of caller that named the player then. */
export interface LastHeard {
  readonly at: number
  readonly by: NamedBy
}

/** Scope of a player's presence in a project, independent of lobbies. */
const playerScope = (projectId: string, playerId: string): string => `player:${projectId}:${playerId}`

/** Returns the presence of a player whom a caller of this kind named. */
export const sightingOf = (projectId: string, playerId: string, at: number, by: NamedBy): Sighting => ({
  scope: playerScope(projectId, playerId),
  member: by,
  at,
})

/** Players of projects whom calls on this node named, until the next write. */
export class HeardPlayers {
  private unwritten = new Map<string, Sighting>()
  private since = 0
  private readonly awaited = new AwaitedPlayers()

  constructor(private readonly storage: Storage) {}

  /** Records that a call named a player. Above MAX_HEARD players, further players are not recorded; a later call is then heard. */
  note(sighting: Sighting): void {
    if (this.unwritten.size >= MAX_HEARD) return
    if (this.unwritten.size === 0) this.since = sighting.at
    this.unwritten.set(`${sighting.scope}\n${sighting.member}`, sighting)
    this.awaited.hear(sighting.scope)
  }

  /**
   * Calls `tell` once, when the next call on this node names one of the players. Returns the function that ends the wait.
   */
  await(projectId: string, playerIds: readonly string[], tell: () => void): () => void {
    return this.awaited.add(
      playerIds.map((playerId) => playerScope(projectId, playerId)),
      tell,
    )
  }

  /** Instant of the next write; undefined when nobody was heard since the last one. */
  get dueAt(): number | undefined {
    return this.unwritten.size > 0 ? this.since + HEARD_EVERY_MS : undefined
  }

  /** Returns the players who were heard since the last write, when the next write is due. The caller writes them. */
  take(now: number): Sighting[] {
    if (this.dueAt === undefined || now < this.dueAt) return []
    const heard = [...this.unwritten.values()]
    this.unwritten = new Map()
    return heard
  }

  /** Returns when each of these players was last heard in the project. Players without a record are left out. */
  async last(projectId: string, playerIds: readonly string[]): Promise<ReadonlyMap<string, LastHeard>> {
    const byScope = new Map(playerIds.map((playerId) => [playerScope(projectId, playerId), playerId]))
    const scopes = [...byScope.keys()]
    const heard = new Map<string, LastHeard>()
    const note = ({ scope, member, at }: Sighting) => {
      const [playerId, by] = [byScope.get(scope), member === 'backend' ? 'backend' : 'client'] as const
      if (playerId === undefined) return
      const known = heard.get(playerId)
      if (known === undefined || at > known.at || (at === known.at && by === 'backend')) heard.set(playerId, { at, by })
    }
    for (let from = 0; from < scopes.length; from += PRESENCE_AT_ONCE)
      for (const row of await this.storage.presence.readMany(scopes.slice(from, from + PRESENCE_AT_ONCE))) note(row)
    for (const scope of scopes)
      for (const by of ['client', 'backend']) {
        const unwritten = this.unwritten.get(`${scope}\n${by}`)
        if (unwritten !== undefined) note(unwritten)
      }
    return heard
  }
}

/** Functions that are called when a player is heard again on this node. The caller that registers a function also ends its wait. */
export class AwaitedPlayers {
  private readonly byScope = new Map<string, Set<() => void>>()

  /** Registers a function for several players, by their scopes. Returns the function that ends the wait. */
  add(scopes: readonly string[], tell: () => void): () => void {
    const once = () => {
      end()
      tell()
    }
    const end = () => {
      for (const scope of scopes) {
        const waiting = this.byScope.get(scope)
        waiting?.delete(once)
        if (waiting?.size === 0) this.byScope.delete(scope)
      }
    }
    for (const scope of scopes) this.byScope.set(scope, (this.byScope.get(scope) ?? new Set()).add(once))
    return end
  }

  /** Calls the functions that wait for this player, each once. */
  hear(scope: string): void {
    for (const once of [...(this.byScope.get(scope) ?? [])]) once()
  }
}
