import type { DomainEvent, OtherEvent } from '../context/domain-events'
import type { LobbyEvent } from '../lobby/events'
import { evolveAll } from '../lobby/evolve'
import type { Lobby } from '../lobby/lobby'
import type { QueueTicket } from '../lobby/queue-ticket'
import type {
  Check,
  Commit,
  CounterChange,
  Entities,
  EntityKind,
  JobSpec,
  StreamEvent,
  Write,
} from '../ports/storage/index'
import { queueKey } from '../queue/queue'
import type { ServerEvent } from '../server/events'
import { evolveServerAll } from '../server/evolve'
import { type GameServer, isLive } from '../server/game-server'
import { buildServerCounter, projectServerCounter, queueLobbyCounter, serverCounter } from './counters'
import { followUps } from './follow-ups'

/** A commit under construction: what one use case changes, and what is told once it holds. */
export class Plan {
  private readonly checks: Check[] = []
  private readonly writes = new Map<string, Write>()
  private readonly counters: CounterChange[] = []
  private readonly streamEvents: StreamEvent[] = []
  private readonly jobs: JobSpec[] = []
  readonly told: DomainEvent[] = []

  constructor(readonly at: number) {}

  /** Nothing to commit: the use case changed nothing. */
  get isEmpty(): boolean {
    return this.writes.size === 0 && this.jobs.length === 0 && this.counters.length === 0
  }

  /** `entity` must still be as it was read. */
  check(kind: EntityKind, entity: { readonly id: string; readonly version: number }): this {
    this.checks.push({ kind, id: entity.id, expected: entity.version })
    return this
  }

  create<K extends EntityKind>(kind: K, put: Entities[K]): Entities[K] {
    const write = { kind, id: put.id, expected: 'absent', put } as Write
    this.write(write)
    if (write.kind === 'server' && 'put' in write) this.countServer(undefined, write.put)
    return put
  }

  /** Replaces `before`; the new form gets the next version. */
  update<K extends EntityKind>(kind: K, before: Entities[K], next: Omit<Entities[K], 'version'>): Entities[K] {
    const put = { ...next, version: before.version + 1 } as unknown as Entities[K]
    this.write({ kind, id: before.id, expected: before.version, put } as Write)
    return put
  }

  remove(kind: EntityKind, entity: { readonly id: string; readonly version: number }): this {
    this.write({ kind, id: entity.id, expected: entity.version, remove: true })
    return this
  }

  counter(id: string, add: number, atMost?: number): this {
    this.counters.push(atMost === undefined ? { id, add } : { id, add, atMost })
    return this
  }

  job(spec: JobSpec): this {
    this.jobs.push(spec)
    return this
  }

  tell(event: OtherEvent, projectId: string): this {
    this.told.push({ ...event, projectId, at: this.at })
    return this
  }

  /** A new lobby, its first stream event and its follow-ups. */
  createLobby(lobby: Lobby): Lobby {
    this.create('lobby', lobby)
    this.counter(queueLobbyCounter(keyOf(lobby)), 1)
    this.streamEvents.push({ lobbyId: lobby.id, version: lobby.version, name: 'lobby_updated', at: this.at, lobby })
    this.aboutLobby(lobby, [{ type: 'lobby_created', lobby }])
    return lobby
  }

  /** Applies events to a lobby: the row, its ticket, one stream event, the follow-ups. Answers the next state. */
  lobby(before: Lobby, events: readonly LobbyEvent[]): Lobby {
    const after = evolveAll(before, events, this.at)
    if (after === before) return before
    const deleted = events.some((event) => event.type === 'lobby_deleted')
    if (deleted) this.remove('lobby', before)
    else this.write({ kind: 'lobby', id: before.id, expected: before.version, put: after })
    this.ticketOf(before, after)
    if (deleted || keyOf(after) !== keyOf(before)) this.counter(queueLobbyCounter(keyOf(before)), -1)
    if (!deleted && keyOf(after) !== keyOf(before)) this.counter(queueLobbyCounter(keyOf(after)), 1)
    if (before.inviteCode !== null && (deleted || after.inviteCode !== before.inviteCode)) {
      const { hold, release } = followUps.codeFreed(before, before.inviteCode, this.at)
      this.create('invite-hold', hold)
      this.job(release)
    }
    const name = deleted ? 'lobby_deleted' : 'lobby_updated'
    this.streamEvents.push({ lobbyId: after.id, version: after.version, name, at: this.at, lobby: after })
    this.aboutLobby(after, events)
    return after
  }

  /** Applies events to a server: the row, the account's quota, the follow-ups. Answers the next state. */
  server(before: GameServer, events: readonly ServerEvent[]): GameServer {
    const after = evolveServerAll(before, events, this.at)
    if (after === before) return before
    this.write({ kind: 'server', id: before.id, expected: before.version, put: after })
    if (isLive(before) && !isLive(after)) this.counter(serverCounter(after.accountId), -1)
    this.countServer(before, after)
    for (const event of events) {
      this.told.push({
        ...event,
        projectId: after.projectId,
        instanceId: after.id,
        matchId: after.matchId,
        at: this.at,
      })
      this.jobs.push(...followUps.server(after, event, this.at))
    }
    return after
  }

  /** A new server; `atMost` is what the account's plan allows of them at once. */
  createServer(server: GameServer, atMost: number | undefined): GameServer {
    this.counter(serverCounter(server.accountId), 1, atMost)
    return this.create('server', server)
  }

  toCommit(id: string): Commit {
    return {
      id,
      at: this.at,
      checks: this.checks.filter(({ kind, id }) => !this.writes.has(`${kind}:${id}`)),
      writes: [...this.writes.values()],
      counters: this.counters,
      events: this.streamEvents,
      jobs: this.jobs,
    }
  }

  private write(write: Write): void {
    const key = `${write.kind}:${write.id}`
    if (this.writes.has(key)) throw new Error(`${key} is written twice in one commit`)
    this.writes.set(key, write)
  }

  /** Keeps count of what a live server stands on, so that deleting a project or a build can ask inside its commit. */
  private countServer(before: GameServer | undefined, after: GameServer): void {
    const was = before === undefined ? [] : standsOn(before)
    const is = standsOn(after)
    for (const id of was) if (!is.includes(id)) this.counter(id, -1)
    for (const id of is) if (!was.includes(id)) this.counter(id, 1)
  }

  private ticketOf(before: Lobby, after: Lobby): void {
    const [was, is] = [before.ticket, after.ticket]
    if (was !== null && was.id !== is?.id) {
      this.write({ kind: 'ticket', id: was.id, expected: was.version, remove: true })
    }
    if (is === null || (was?.id === is.id && was.version === is.version)) return
    const expected = was?.id === is.id ? was.version : 'absent'
    this.write({ kind: 'ticket', id: is.id, expected, put: ticketOf(after, is) })
  }

  private aboutLobby(lobby: Lobby, events: readonly LobbyEvent[]): void {
    const { id: lobbyId, projectId, queueId } = lobby
    for (const event of events) {
      // The decision's instant, also for events that carry one of their own.
      this.told.push({ ...event, projectId, lobbyId, queueId, at: this.at })
      this.jobs.push(...followUps.lobby(lobby, event, this.at))
    }
  }
}

function standsOn(server: GameServer): string[] {
  if (!isLive(server)) return []
  const project = projectServerCounter(server.projectId)
  return server.buildId === null ? [project] : [project, buildServerCounter(server.buildId)]
}

const keyOf = (lobby: Lobby) => queueKey(lobby.projectId, lobby.queueId)

/** The ticket of a lobby in the queue: its party, the host first. */
export function ticketOf(lobby: Lobby, ticket: NonNullable<Lobby['ticket']>): QueueTicket {
  const host = lobby.players.filter((player) => player.playerId === lobby.hostPlayerId)
  const others = lobby.players.filter((player) => player.playerId !== lobby.hostPlayerId)
  return {
    id: ticket.id,
    version: ticket.version,
    projectId: lobby.projectId,
    queueKey: keyOf(lobby),
    lobbyId: lobby.id,
    enteredAt: ticket.enteredAt,
    region: lobby.region,
    players: [...host, ...others].map(({ playerId, state }) => ({ playerId, state })),
  }
}
