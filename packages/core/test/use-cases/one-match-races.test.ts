import { createMatchyard } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'

const DUEL = { teams: 2, playersPerTeam: 1 }
const READY_CHECK_SECONDS = 15

/** Storage that once runs a function between two of its calls. */
class Interrupted {
  private afterMatch: (() => Promise<unknown>) | undefined
  private beforeCommit: (() => Promise<unknown>) | undefined

  /** Runs after the next read of the match that holds a player. */
  afterReadOfMatch(run: () => Promise<unknown>): void {
    this.afterMatch = run
  }

  /** Runs before the next commit takes effect. */
  beforeNextCommit(run: () => Promise<unknown>): void {
    this.beforeCommit = run
  }

  over(storage: Storage): Storage {
    return {
      ...storage,
      find: async (kind, key) => {
        const found = await storage.find(kind, key)
        const run = kind === 'match' ? this.afterMatch : undefined
        if (run !== undefined) this.afterMatch = undefined
        await run?.()
        return found
      },
      commit: async (change) => {
        const run = this.beforeCommit
        this.beforeCommit = undefined
        await run?.()
        return storage.commit(change)
      },
    }
  }
}

async function game({ readyCheck = false } = {}) {
  const clock = new FakeClock()
  const interrupted = new Interrupted()
  const storage = interrupted.over(memoryStorage())
  const matchyard = createMatchyard({ ...fakePlatform({ clock, seed: 1 }), storage })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  const matchmaking = readyCheck ? { ...DUEL, readyCheck: { timeoutSeconds: READY_CHECK_SECONDS } } : DUEL
  for (const queueId of ['duel', 'casual']) {
    await matchyard.queues.create({ projectId, queueId, name: queueId, matchmaking })
  }
  const lobby = async (playerId: string, queueId = 'duel') => {
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId, playerId })
    return { projectId, lobbyId, playerId }
  }
  const searching = async (playerId: string, queueId = 'duel') => {
    const on = await lobby(playerId, queueId)
    await matchyard.lobbies.enqueue(on)
    return on
  }
  const tick = (queueId = 'duel') => matchyard.matchmaking.runQueue(`${projectId}/${queueId}`)
  const work = () => matchyard.worker.runDueJobs()
  const now = ({ lobbyId }: { lobbyId: string }) => matchyard.lobbies.get({ projectId, lobbyId, backend: true })
  const leave = (playerId: string) => matchyard.players.leaveMatch({ projectId, playerId })
  const pair = async () => {
    const both = [await searching('ann'), await searching('bob')] as const
    await tick()
    await work()
    return both
  }
  return { clock, interrupted, matchyard, projectId, lobby, searching, tick, work, now, leave, pair }
}

describe('leave-match', () => {
  it('leaves the match that all players accept between its two reads', async () => {
    const { interrupted, matchyard, now, leave, pair, work } = await game({ readyCheck: true })
    const [mine, theirs] = await pair()
    interrupted.afterReadOfMatch(async () => {
      await matchyard.lobbies.accept(mine)
      await matchyard.lobbies.accept(theirs)
      await work()
    })
    await leave('ann')
    await expect(now(mine)).rejects.toMatchObject({ code: 'LOBBY_NOT_FOUND' })
    expect((await now(theirs)).status).toBe('in_game')
  })

  it('ends a proposal whose deadline has passed and whose job has not run', async () => {
    const { clock, projectId, matchyard, now, leave, pair } = await game({ readyCheck: true })
    const [mine] = await pair()
    clock.advance(READY_CHECK_SECONDS * 1_000)
    await leave('ann')
    expect((await now(mine)).status).toBe('waiting')
    expect((await matchyard.players.find({ projectId, playerId: 'ann' })).liveMatch).toBeNull()
  })

  it.each(['end', 'kick'])('finds no match after the %s between its two reads, and changes no lobby', async (way) => {
    const { interrupted, matchyard, now, leave, pair } = await game()
    const [mine] = await pair()
    interrupted.afterReadOfMatch(async () => {
      if (way === 'end') await matchyard.lobbies.end({ ...mine, backend: true })
      else await matchyard.lobbies.removePlayer({ ...mine, targetPlayerId: 'ann' })
    })
    await expect(leave('ann')).rejects.toMatchObject({ code: 'MATCH_NOT_FOUND' })
    if (way === 'end') expect((await now(mine)).players).toHaveLength(1)
  })

  it('does not leave a later match when its commit conflicts', async () => {
    const { interrupted, matchyard, now, lobby, leave, pair } = await game()
    const [mine] = await pair()
    const other = await lobby('ann', 'casual')
    interrupted.beforeNextCommit(async () => {
      await matchyard.lobbies.end({ ...mine, backend: true })
      await matchyard.lobbies.start(other)
    })
    await expect(leave('ann')).rejects.toMatchObject({ code: 'MATCH_NOT_FOUND' })
    expect((await now(other)).matchId).not.toBeNull()
  })
})

describe('a search that begins while its player is matched elsewhere', () => {
  it('ends at once when the job of that match has run before the commit of the search', async () => {
    const { interrupted, matchyard, lobby, searching, tick, work, now } = await game()
    const [mine, other] = [await searching('ann'), await lobby('ann', 'casual')]
    await searching('bob')
    interrupted.beforeNextCommit(async () => {
      await tick()
      await work()
    })
    const answer = await matchyard.lobbies.enqueue(other)
    expect(answer).toMatchObject({ status: 'waiting', lastExit: { reason: 'matched_elsewhere' } })
    expect(await now(other)).toEqual(answer)
    expect((await now(mine)).status).toBe('in_game')
  })

  it('continues in a queue that allows several matches', async () => {
    const { interrupted, projectId, matchyard, lobby, searching, tick, work } = await game()
    await matchyard.queues.update({ projectId, queueId: 'casual', changes: { concurrentMatches: true } })
    await searching('ann')
    const other = await lobby('ann', 'casual')
    await searching('bob')
    interrupted.beforeNextCommit(async () => {
      await tick()
      await work()
    })
    expect((await matchyard.lobbies.enqueue(other)).status).toBe('in_queue')
  })
})
