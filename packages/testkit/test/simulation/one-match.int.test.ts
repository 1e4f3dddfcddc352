import type { Lobby, Match } from '@matchyard/core'
import { type Commit, type Storage, uniqueKey, type Write } from '@matchyard/core/ports'
import { emptyMemoryData, type MemoryData, memoryStorage } from '@matchyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { type SimulationOptions, simulate } from '../../src/simulation/index'
import { keepInvariants, SEARCHES } from './worlds'

/** Worlds in which players search in several queues on two devices. */
keepInvariants(
  [
    { name: 'one node, of searches', nodes: 1, faults: false, often: SEARCHES, steps: 80 },
    { name: 'three nodes that fail, of searches', nodes: 3, faults: true, often: SEARCHES, steps: 80 },
    { name: 'two nodes with loops that fail, of searches', nodes: 2, faults: true, loop: true, often: SEARCHES },
  ],
  12,
)

const OPTIONS: Omit<SimulationOptions, 'seed'> = { nodes: 2, steps: 80, often: SEARCHES, faults: false, shrinkTries: 0 }

/** Returns the first violated invariant in the runs of some seeds. */
async function firstBroken(options: Partial<SimulationOptions>, seeds = 60): Promise<string | undefined> {
  for (let seed = 1; seed <= seeds; seed++) {
    const { failure } = await simulate({ ...OPTIONS, ...options, seed })
    if (failure !== undefined) return failure.invariant
  }
  return undefined
}

const isPlayingKey = (key: string) => key.startsWith(uniqueKey.livePlayer('', '').slice(0, -1))

/** Returns a store in memory whose handles commit in another way. */
const store = (commit: (data: MemoryData, change: Commit, storage: Storage) => ReturnType<Storage['commit']>) => () => {
  const data = emptyMemoryData()
  return () => {
    const storage = memoryStorage({ data })
    return { ...storage, commit: (change: Commit) => commit(data, change, storage) }
  }
}

/** Commits while the keys of players are not there, so that no commit conflicts with them, and puts them back afterwards. */
async function withoutKeys(data: MemoryData, change: Commit, storage: Storage) {
  const hidden = [...data.uniqueKeys].filter(([key]) => isPlayingKey(key))
  for (const [key] of hidden) data.uniqueKeys.delete(key)
  const result = await storage.commit(change)
  const ended = new Set(change.writes.flatMap((write) => (write.kind === 'match' ? [write.id] : [])))
  // A key of a match that this commit wrote is as the commit left it.
  for (const [key, holder] of hidden) {
    if (!data.uniqueKeys.has(key) && !(result.ok && ended.has(holder.id))) data.uniqueKeys.set(key, holder)
  }
  return result
}

/** Commits, and keeps the keys of players whom the commit let go. */
async function keepingKeys(data: MemoryData, change: Commit, storage: Storage) {
  const before = [...data.uniqueKeys].filter(([key]) => isPlayingKey(key))
  const result = await storage.commit(change)
  for (const [key, holder] of before) if (!data.uniqueKeys.has(key)) data.uniqueKeys.set(key, holder)
  return result
}

const changed = (worsen: (writes: readonly Write[], change: Commit) => Partial<Commit>) =>
  store((_, change, storage) => storage.commit({ ...change, ...worsen(change.writes, change) }))

const holdsNobody = ({ holdsPlayers: _, ...match }: Match): Match => match

/** Returns a store whose commits change lobbies that existed before, in their rows and in their events. */
const lobbiesChanged = (worsen: (lobby: Lobby) => Lobby) =>
  changed((writes, { events }) => {
    const old = new Set(
      writes.flatMap(({ kind, id, expected }) => (kind === 'lobby' && expected !== 'absent' ? [id] : [])),
    )
    return {
      writes: writes.map((write) =>
        write.kind === 'lobby' && 'put' in write && old.has(write.id) ? { ...write, put: worsen(write.put) } : write,
      ),
      events: events.map((event) => (old.has(event.lobbyId) ? { ...event, lobby: worsen(event.lobby) } : event)),
    }
  })

/** Makes a lobby that waited before, and still waits, a second younger. */
const younger = (lobby: Lobby): Lobby => {
  const { ticket } = lobby
  if (ticket === null || ticket.version < 2) return lobby
  return { ...lobby, ticket: { ...ticket, enteredAt: ticket.enteredAt + 1_000 } }
}

/** Says of a search that was cancelled or timed out that a player of it was matched in another search. */
const sentAway = (lobby: Lobby): Lobby => {
  const { lastExit } = lobby
  if (lastExit?.reason !== 'cancelled' && lastExit?.reason !== 'timeout') return lobby
  return { ...lobby, lastExit: { ...lastExit, reason: 'matched_elsewhere' } }
}

describe('the simulator sees', { timeout: 600_000 }, () => {
  it('a storage that commits a second match of a player', async () => {
    expect(await firstBroken({ store: store(withoutKeys) })).toBe('nobodyIsInTwoMatches')
  })

  it('a storage that keeps the key of a player whose match is over', async () => {
    const broken = await firstBroken({ store: store(keepingKeys) })
    // A player who enters at the end of a run may meet the kept key first.
    expect(['aPlayersKeyIsTheirLiveMatch', 'everyPlayerCanEnterAgain']).toContain(broken)
  })

  it('a commit that forgets that a match holds its players', async () => {
    const spoilt = changed((writes) => ({
      writes: writes.map((write) =>
        write.kind === 'match' && 'put' in write ? { ...write, put: holdsNobody(write.put) } : write,
      ),
    }))
    expect(await firstBroken({ store: spoilt })).toBe('aMatchRecordsItsHold')
  })

  it('a commit that makes a search younger', async () => {
    const broken = await firstBroken({ store: lobbiesChanged(younger) })
    // The answer of the call, which tells the real age, may show it first.
    expect(['aSearchKeepsItsAge', 'anAnswerIsItsCommit']).toContain(broken)
  })

  it('a director that counts the wait from its own look at the ticket', async () => {
    const broken = await firstBroken({
      spoil: ({ storage }) => ({
        storage: {
          ...storage,
          tickets: {
            ...storage.tickets,
            changedSince: async (...args) => {
              const page = await storage.tickets.changedSince(...args)
              const changes = page.changes.map(({ ticketId, ticket }) => ({
                ticketId,
                ticket: ticket && { ...ticket, enteredAt: ticket.enteredAt - 1 },
              }))
              return { ...page, changes }
            },
          },
        },
      }),
    })
    expect(broken).toBe('aSearchKeepsItsAge')
  })

  it('a commit that sends a search away whose players are in no match', async () => {
    expect(await firstBroken({ store: lobbiesChanged(sentAway) })).toBe('onlySearchesOfTheMatchedEnd')
  })

  it('jobs that are lost, so that the other searches of the matched go on', async () => {
    const spoilt = changed((_, { jobs }) => ({ jobs: jobs.filter(({ kind }) => kind !== 'end-other-searches') }))
    expect(await firstBroken({ store: spoilt })).toBe('noSearchOutlivesItsMatch')
  })

  it('a node that never forgets a search of a player', async () => {
    const broken = await firstBroken({
      spoil: ({ storage }) => {
        const known = new Map<string, { readonly playerId: string; readonly lobbyId: string }>()
        const searching: Storage['lobbies']['searching'] = async (projectId, playerIds) => {
          for (const one of await storage.lobbies.searching(projectId, playerIds)) {
            known.set(`${one.lobbyId} ${one.playerId}`, one)
          }
          return [...known.values()].filter(({ playerId }) => playerIds.includes(playerId))
        }
        return { storage: { ...storage, lobbies: { ...storage.lobbies, searching } } }
      },
    })
    expect(broken).toBe('everyPlayerCanEnterAgain')
  })
})
