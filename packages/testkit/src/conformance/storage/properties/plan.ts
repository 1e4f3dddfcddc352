import { EXIT_REASONS } from '@matchyard/core'
import {
  addedHistory,
  type Check,
  type Commit,
  exitFigure,
  isParty,
  minuteCell,
  type StreamEvent,
  usageSumsOf,
  type Write,
} from '@matchyard/core/ports'
import { event, put, remove } from '../changes'
import { aLobby, aMatch, anAccount, aRequest, aServer, aTicket, PROJECT_ID, players } from '../samples'
import type { StorageModel } from './model'
import type { CommitIntent, Kind, WriteIntent } from './steps'

/**
 * Turns the steps of a random history (intents) into commits that fit the state of the model. As in production, ids of
 * removed entities are not used again.
 */
export class Planner {
  private readonly generations = new Map<string, number>()
  private commits = 0
  now = 1_000

  constructor(private readonly model: StorageModel) {}

  id(kind: Kind, slot: number): string {
    return `${kind}_${slot}_${this.generations.get(`${kind} ${slot}`) ?? 0}`
  }

  plan(intent: CommitIntent): Commit {
    this.now += 1
    const writes = intent.writes.map((write) => this.write(write)).filter((write) => write !== undefined)
    return {
      id: `commit_${++this.commits}`,
      at: this.now,
      checks: intent.checks.map(({ kind, slot, stale }) => this.check(kind, slot, stale)),
      writes,
      counters: intent.counters.map(({ id, add, atMost }) =>
        atMost === undefined ? { id, add } : { id, add, atMost },
      ),
      // Each unique key stands for a separate reason, so that several commits may count in the same cell of the figures
      // or in different cells.
      figures: intent.writes.flatMap(({ kind, queue, key, flag }) => {
        const reason = EXIT_REASONS[key]
        return kind === 'lobby' && flag && reason !== undefined
          ? [exitFigure(`${PROJECT_ID}/${queue}`, reason, this.now)]
          : []
      }),
      usage: writes.flatMap((write) =>
        write.kind === 'server' && 'put' in write && write.put.stoppedAt !== null
          ? usageSumsOf(write.put, { from: this.now, to: write.put.stoppedAt }, [])
          : [],
      ),
      history: addedHistory(
        intent.writes.map(({ key, queue }) =>
          minuteCell(this.now, {
            ...{ projectId: PROJECT_ID, queueId: queue, series: 'exits', key: `${key}` },
            ...{ count: 1, sum: key, most: key },
          }),
        ),
      ),
      events: writes.flatMap((write) => this.eventOf(write)),
      jobs: intent.jobs.map(({ id, delay, tenant, kind }) => ({
        id,
        kind,
        tenant,
        runAt: this.now + delay,
        payload: { at: this.now },
      })),
    }
  }

  /** Records that a commit was applied. A later entity that takes the number of a removed entity gets a new id. */
  applied(commit: Commit, slots: readonly WriteIntent[]): void {
    for (const { kind, slot } of slots) {
      const removed = commit.writes.some((write) => 'remove' in write && write.id === this.id(kind, slot))
      const key = `${kind} ${slot}`
      if (removed) this.generations.set(key, (this.generations.get(key) ?? 0) + 1)
    }
  }

  private check(kind: Kind, slot: number, stale: boolean): Check {
    const id = this.id(kind, slot)
    const version = this.model.get(kind, id)?.version
    if (stale) return { kind, id, expected: (version ?? 0) + 7 }
    return { kind, id, expected: version ?? 'absent' }
  }

  private write(intent: WriteIntent): Write | undefined {
    const id = this.id(intent.kind, intent.slot)
    const current = this.model.get(intent.kind, id)
    const version = (current?.version ?? 0) + (intent.stale ? 2 : 1)
    if (!intent.remove) return this.put(intent, id, version)
    return current && remove(intent.kind, { id, version: version - 1 })
  }

  private put(intent: WriteIntent, id: string, version: number): Write {
    const { kind, key, status, queue, region, flag } = intent
    const code = key === 0 ? null : `CODE${key}`
    const base = { id, version }
    if (kind === 'account') return put(kind, anAccount({ ...base, email: `${key}@example.com` }))
    if (kind === 'invite-hold') {
      return put(kind, { ...base, projectId: PROJECT_ID, code: `CODE${key}`, until: this.now })
    }
    const party = players(...Array.from({ length: intent.players }, (_, seat) => `player ${seat}`))
    const queueKey = `${PROJECT_ID}/${queue}`
    // A ticket never changes its queue or its kind.
    const before = this.model.get('ticket', id)
    const known = before !== undefined && 'lobbyId' in before && 'queueKey' in before ? before : undefined
    if (kind === 'ticket') {
      const own = { ...base, queueKey: known?.queueKey ?? queueKey }
      const isRequest = known === undefined ? flag : !isParty(known)
      return put(
        kind,
        isRequest ? aRequest({ ...own, enteredAt: intent.slot }) : aTicket({ ...own, region, players: party }),
      )
    }
    if (kind === 'match') {
      // Later changes to the waiting times must not count in the figures.
      const waits = Array.from({ length: intent.players }, (_, n) => ({
        lobbyId: `lobby_${n}`,
        players: 1 + (n % 2),
        waitedMs: 900 * key + n,
      }))
      // Most matches hold no player, so that most commits with a match are not refused for a player in two of them.
      const seats = party.map((player) => ({ ...player, lobbyId: 'lobby_0', role: null, leftAt: null }))
      const held = flag && key === 0 ? { holdsPlayers: true as const, teams: [{ name: 'red', players: seats }] } : {}
      return put(kind, aMatch({ ...base, queueId: queue, createdAt: this.now, waits, ...held }))
    }
    if (kind === 'server') {
      return put(
        kind,
        aServer({
          ...base,
          status: flag ? 'running' : 'stopped',
          region: region ?? 'iad',
          nodeId: queue,
          matchId: code,
          buildId: queue,
          ...(flag ? {} : { endReason: key % 2 === 0 ? 'server_failed' : 'match_ended' }),
          runningAt: this.now,
          stoppedAt: flag ? null : this.now + 5,
          networkPorts: Array.from({ length: intent.players }, (_, n) => ({
            name: `port_${n}`,
            protocol: 'udp' as const,
            internalPort: 7_777,
            tlsEnabled: false,
            externalPort: 7_000 + key + n,
            host: '127.0.0.1',
          })),
        }),
      )
    }
    const createdAt = 1_000 + (intent.slot % 2)
    return put(
      kind,
      aLobby({ ...base, queueId: queue, status, region, isPrivate: flag, players: party, inviteCode: code, createdAt }),
    )
  }

  private eventOf(write: Write): StreamEvent[] {
    if (write.kind !== 'lobby') return []
    if ('put' in write) return [event(write.put, this.now)]
    // The event has the version after the removed version. A commit that was sent at the same time may have created
    // that version.
    return [event(aLobby({ id: write.id, version: write.expected + 1 }), this.now, 'lobby_deleted')]
  }
}
