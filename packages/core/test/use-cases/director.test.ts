import { type Commit, type CommitResult, type Storage, StorageUnavailable } from '@matchyard/core/ports'
import { copyMemoryData, goBackTo } from '@matchyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { type Service, service } from './service'

type Instead = (commit: Commit) => Promise<CommitResult> | undefined

/** Returns a service in which a test can replace the answers to the commits of matches. */
async function withMatches(instead: Instead): Promise<Service> {
  const around = (storage: Storage): Partial<Storage> => ({
    commit: (commit) => {
      const isMatch = commit.writes.some(({ kind }) => kind === 'match')
      return (isMatch ? instead(commit) : undefined) ?? storage.commit(commit)
    },
  })
  const given = await service(around)
  const { projectId } = given
  await given.matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', matchmaking: {} })
  return given
}

async function enqueue({ matchyard, projectId }: Service, players: number, state: { mmr?: number } = {}) {
  const lobbyIds: string[] = []
  for (let i = 0; i < players; i++) {
    const playerId = `player_${lobbyIds.length}_${state.mmr ?? 0}`
    const lobby = await matchyard.lobbies.create({ projectId, playerId, queueId: 'duel', state })
    await matchyard.lobbies.enqueue({ projectId, lobbyId: lobby.id, playerId })
    lobbyIds.push(lobby.id)
  }
  return lobbyIds
}

/** Runs ticks until one makes no match. Returns the number of all matches. */
async function matchAll({ matchyard, projectId }: Service): Promise<number> {
  for (let all = 0; ; ) {
    const { matches } = await matchyard.matchmaking.runQueue(`${projectId}/duel`)
    if (matches === 0) return all
    all += matches
  }
}

const once = (answer: () => Promise<CommitResult>): Instead => {
  let done = false
  return () => {
    if (done) return undefined
    done = true
    return answer()
  }
}

describe('a tick of more matches than are committed at once', () => {
  it('loses nobody when one match of the first batch loses its race', async () => {
    const given = await withMatches(
      once(async () => {
        const [lobbyId = ''] = lobbyIds
        await given.matchyard.lobbies.cancelMatchmaking({ projectId: given.projectId, lobbyId, playerId: 'player_0_0' })
        return { ok: false, conflict: { kind: 'lobby', id: lobbyId, on: 'version' } }
      }),
    )
    const lobbyIds = await enqueue(given, 200)
    expect(await matchAll(given)).toBe(99)
  })

  it('loses nobody when the storage goes away in the middle', async () => {
    const given = await withMatches(once(() => Promise.reject(new StorageUnavailable('gone'))))
    await enqueue(given, 200)
    await expect(given.matchyard.matchmaking.runQueue(`${given.projectId}/duel`)).rejects.toThrow(StorageUnavailable)
    const left = await given.matchyard.queues.stats({ projectId: given.projectId, queueId: 'duel' })
    expect(await matchAll(given)).toBe(left.lobbiesSearching / 2)
    expect(left.lobbiesSearching).toBe(200 - 2 * 63)
  })
})

describe('a match that something else than its tickets stands in the way of', () => {
  const conflict = (kind: 'account' | 'counter', on: 'check' | 'limit') =>
    once(async () => ({ ok: false, conflict: { kind, id: 'x', on } }))

  it('is tried again at once where the account changed meanwhile', async () => {
    const given = await withMatches(conflict('account', 'check'))
    await enqueue(given, 2)
    expect(await matchAll(given)).toBe(1)
  })

  it('is tried again within a second where a limit was met, though nothing changes in the queue', async () => {
    const given = await withMatches(conflict('counter', 'limit'))
    await enqueue(given, 2)
    const { matches, dueAt } = await given.matchyard.matchmaking.runQueue(`${given.projectId}/duel`)
    expect({ matches, dueInMs: (dueAt ?? Number.NaN) - given.clock.now() }).toEqual({ matches: 0, dueInMs: 1_000 })
  })
})

describe('a match one of whose players changes while it is committed', () => {
  const changedTo = async (mmr: number) => {
    const given: Service = await withMatches(
      once(async () => {
        const [lobbyId = ''] = lobbyIds
        const player = { projectId: given.projectId, lobbyId, playerId: 'player_0_1', targetPlayerId: 'player_0_1' }
        await given.matchyard.lobbies.updatePlayer({ ...player, state: { mmr } })
        return { ok: false, conflict: { kind: 'lobby', id: lobbyId, on: 'version' } }
      }),
    )
    const { matchyard, projectId } = given
    const rules = [{ type: 'difference', field: 'mmr', maxDifference: 10 } as const]
    await matchyard.queues.update({ projectId, queueId: 'duel', changes: { matchmaking: { rules } } })
    const lobbyIds = [...(await enqueue(given, 1, { mmr: 1 })), ...(await enqueue(given, 1, { mmr: 5 }))]
    await matchAll(given)
    const { data } = await matchyard.matches.list({ projectId })
    return data.map(({ match }) => match.teams.flatMap(({ players }) => players.map(({ state }) => state)))
  }

  it('holds the state that the player has by then', async () => {
    expect(await changedTo(9)).toEqual([[{ mmr: 9 }, { mmr: 5 }]])
  })

  it('is not made where the new state breaks a rule', async () => {
    expect(await changedTo(50)).toEqual([])
  })
})

describe('a queue that is deleted and made again under its id', () => {
  it('matches by its new rules', async () => {
    const given = await withMatches(() => undefined)
    const { matchyard, projectId, clock } = given
    const queue = { projectId, queueId: 'duel' }
    const rule = (maxDifference: number) => ({ rules: [{ type: 'difference', field: 'mmr', maxDifference } as const] })
    const remake = async (maxDifference: number) => {
      await matchyard.queues.delete(queue)
      clock.advance(1)
      await matchyard.queues.create({ ...queue, name: 'Duel', matchmaking: rule(maxDifference) })
    }
    await remake(1)
    const lobbyIds = [...(await enqueue(given, 1, { mmr: 0 })), ...(await enqueue(given, 1, { mmr: 50 }))]
    expect(await matchAll(given)).toBe(0)
    for (const lobbyId of lobbyIds) await matchyard.lobbies.delete({ projectId, lobbyId, backend: true })
    await remake(100)
    await enqueue(given, 1, { mmr: 0 })
    await enqueue(given, 1, { mmr: 50 })
    expect(await matchAll(given)).toBe(1)
  })
})

describe('a store that goes back, as after a failover that loses its last transactions', () => {
  it('strands nobody: the director takes everybody as they are there', async () => {
    const given = await withMatches(() => undefined)
    const { matchyard, projectId, data } = given
    const rules = [{ type: 'difference', field: 'mmr', maxDifference: 1 } as const]
    await matchyard.queues.create({ projectId, queueId: 'ranked', name: 'Ranked', matchmaking: { rules } })
    const enter = async (playerId: string, mmr: number) => {
      const { id } = await matchyard.lobbies.create({ projectId, playerId, queueId: 'ranked', state: { mmr } })
      await matchyard.lobbies.enqueue({ projectId, lobbyId: id, playerId })
      return { projectId, lobbyId: id, playerId }
    }
    const tick = async () => (await matchyard.matchmaking.runQueue(`${projectId}/ranked`)).matches
    const kept = await enter('kept', 0)
    expect(await tick()).toBe(0)
    const backup = copyMemoryData(data)
    await matchyard.lobbies.updatePlayer({ ...kept, targetPlayerId: 'kept', state: { mmr: 50 } })
    expect(await tick()).toBe(0)
    goBackTo(data, backup)

    // As many changes follow as were lost, so a director that only counts changes would not notice the loss.
    await enter('new', 0)
    expect(await tick()).toBe(1)
  })
})
