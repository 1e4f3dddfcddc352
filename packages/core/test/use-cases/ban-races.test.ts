import type { Lobby, Matchyard } from '@matchyard/core'
import type { Commit, Storage } from '@matchyard/core/ports'
import { describe, expect, it } from 'vitest'
import { type Service, service } from './service'

/** A service whose storage calls are counted; `before` runs before each of them. */
interface Arena extends Service {
  readonly commits: Commit[]
  before: () => Promise<void>
}

async function arena(matchmaking: object): Promise<Arena> {
  const commits: Commit[] = []
  const hook = { before: async () => {} }
  const around = (storage: Storage): Partial<Storage> => ({
    async get(kind, id) {
      await hook.before()
      return storage.get(kind, id)
    },
    async getMany(kind, ids) {
      await hook.before()
      return storage.getMany(kind, ids)
    },
    async commit(commit) {
      await hook.before()
      const result = await storage.commit(commit)
      if (result.ok) commits.push(commit)
      return result
    },
  })
  const given = Object.assign(hook, await service(around), { commits })
  const { matchyard, projectId } = given
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', maxPlayers: 4, matchmaking })
  return given
}

interface Prepared {
  readonly enter: () => Promise<unknown>
}
type Prepare = (given: Arena) => Promise<Prepared>

const lobbyOf = ({ matchyard, projectId }: Arena, playerId: string) =>
  matchyard.lobbies.create({ projectId, playerId, queueId: 'duel' })
async function waiting(given: Arena, playerId: string): Promise<Lobby> {
  const { id: lobbyId } = await lobbyOf(given, playerId)
  return given.matchyard.lobbies.enqueue({ projectId: given.projectId, lobbyId, playerId })
}
const tick = ({ matchyard, projectId }: Arena) => matchyard.matchmaking.runQueue(`${projectId}/duel`)
const lobbies = ({ matchyard }: { readonly matchyard: Matchyard }) => matchyard.lobbies

const RACES: readonly (readonly [name: string, matchmaking: object, prepare: Prepare])[] = [
  ['creating a lobby', {}, async (given) => ({ enter: () => lobbyOf(given, 'ann') })],
  [
    'a join',
    {},
    async (given) => {
      const { id: lobbyId } = await lobbyOf(given, 'bob')
      return { enter: () => lobbies(given).join({ projectId: given.projectId, lobbyId, playerId: 'ann' }) }
    },
  ],
  [
    'a quick join',
    {},
    async (given) => {
      await lobbyOf(given, 'bob')
      return {
        enter: () => lobbies(given).quickJoin({ projectId: given.projectId, queueId: 'duel', playerId: 'ann' }),
      }
    },
  ],
  [
    'entering the queue',
    {},
    async (given) => {
      const { id: lobbyId } = await lobbyOf(given, 'ann')
      return { enter: () => lobbies(given).enqueue({ projectId: given.projectId, lobbyId, playerId: 'ann' }) }
    },
  ],
  [
    'a direct start',
    {},
    async (given) => {
      const { id: lobbyId } = await lobbyOf(given, 'ann')
      return { enter: () => lobbies(given).start({ projectId: given.projectId, lobbyId, playerId: 'ann' }) }
    },
  ],
  [
    'a match',
    {},
    async (given) => {
      for (const playerId of ['ann', 'bob']) await waiting(given, playerId)
      return { enter: () => tick(given) }
    },
  ],
  [
    'a proposal',
    { readyCheck: { timeoutSeconds: 15 } },
    async (given) => {
      for (const playerId of ['ann', 'bob']) await waiting(given, playerId)
      return { enter: () => tick(given) }
    },
  ],
  [
    'the last answer to a proposal',
    { readyCheck: { timeoutSeconds: 15 } },
    async (given) => {
      const { projectId } = given
      const [ann, bob] = [await waiting(given, 'ann'), await waiting(given, 'bob')]
      await tick(given)
      await lobbies(given).accept({ projectId, lobbyId: ann.id, playerId: 'ann' })
      return { enter: () => lobbies(given).accept({ projectId, lobbyId: bob.id, playerId: 'bob' }) }
    },
  ],
]

const isBan = ({ writes }: Commit) => writes.some(({ kind }) => kind === 'ban')
const holdsAnn = (lobby: Lobby) => lobby.players.some(({ playerId }) => playerId === 'ann')

/** Whether a commit lets ann in: into a lobby, from `waiting` into the queue or a match, or from the queue into a match. */
function letsIn(commit: Commit, before: readonly Commit[]): boolean {
  return commit.writes.some((write) => {
    if (write.kind !== 'lobby' || !('put' in write) || !holdsAnn(write.put)) return false
    const earlier = before
      .flatMap(({ writes }) => writes)
      .findLast((one) => one.kind === 'lobby' && one.id === write.id && 'put' in one)
    const was = earlier?.kind === 'lobby' && 'put' in earlier && holdsAnn(earlier.put) ? earlier.put : undefined
    const order = ['waiting', 'in_queue', 'matched', 'starting', 'in_game']
    const stage = (lobby: Lobby) => order.indexOf(lobby.status)
    return was === undefined || (was.status !== 'matched' && stage(write.put) > stage(was) && was.matchId === null)
  })
}

describe.each(RACES)('a ban that is set during %s', (_, matchmaking, prepare) => {
  it('is before it or after it at every place, and lets nobody in after it', async () => {
    let interleavings = 0
    for (let place = 1; ; place++) {
      const given = await arena(matchmaking)
      const { enter } = await prepare(given)
      let calls = 0
      given.before = async () => {
        if (++calls !== place) return
        given.before = async () => {}
        await given.matchyard.bans.set({ projectId: given.projectId, playerId: 'ann' })
      }
      const [result] = await Promise.allSettled([enter()])
      if (calls < place) break
      interleavings++
      if (result?.status === 'rejected') expect(result.reason).toMatchObject({ code: 'PLAYER_BANNED' })
      while ((await given.matchyard.worker.runDueJobs()) > 0);
      const since = given.commits.findIndex(isBan)
      expect(since).not.toBe(-1)
      given.commits.forEach((commit, index) => {
        if (index > since) expect(letsIn(commit, given.commits.slice(0, index)), `at ${place}`).toBe(false)
      })
      const { data } = await given.matchyard.lobbies.ofProject({ projectId: given.projectId, playerId: 'ann' })
      expect(data.map(({ status }) => status)).not.toContain('in_queue')
    }
    expect(interleavings).toBeGreaterThan(2)
  })
})
