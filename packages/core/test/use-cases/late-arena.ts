import { createMatchyard, type Matchyard, type QueueMatchmaking } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, fakePlatform } from '@matchyard/testkit'

export const LATE: QueueMatchmaking = { teams: 2, playersPerTeam: 2, lateJoin: true }

/** Returns the outcome of a call: its answer, or the code of its refusal. */
export const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'ok',
    (error: { readonly code?: string }) => error.code ?? error,
  )

/**
 * Returns a running match without a server, two against two, in which ann and bob are on other teams than their opponents, and in which
 * dan's seat is open. `around` replaces methods of the storage that the service uses.
 */
export async function lateMatch(
  matchmaking: QueueMatchmaking = LATE,
  around: (storage: Storage) => Partial<Storage> = () => ({}),
) {
  const clock = new FakeClock()
  const memory = memoryStorage()
  // The lease is granted to every node, so that only versions decide which commit of two directors succeeds.
  const storage: Storage = { ...memory, leases: { ...memory.leases, acquire: async () => true } }
  const node = (seed: number, own: Partial<Storage>) =>
    createMatchyard({ ...fakePlatform({ clock, seed }), storage: { ...storage, ...own }, nodeId: `node_${seed}` })
  const matchyard = node(1, around(storage))
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  const queueId = 'arena'
  for (const id of [queueId, 'other']) await matchyard.queues.create({ projectId, queueId: id, name: id, matchmaking })
  const lobby = async (playerId: string, of: { queueId?: string; state?: object } = {}) => {
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId, playerId, ...(of as object) })
    return { projectId, lobbyId, playerId }
  }
  const searching = async (playerId: string, of: { queueId?: string; state?: object } = {}) => {
    const on = await lobby(playerId, of)
    await matchyard.lobbies.enqueue(on)
    return on
  }
  const tick = (by: Matchyard = matchyard) => by.matchmaking.runQueue(`${projectId}/${queueId}`)
  const work = (by: Matchyard = matchyard) => by.worker.runDueJobs()
  const now = ({ lobbyId }: { readonly lobbyId: string }) =>
    matchyard.lobbies.get({ projectId, lobbyId, backend: true })

  const state = matchmaking.useVersionFromState === true ? { game_version: '1' } : {}
  const lobbies = []
  for (const name of ['ann', 'bob', 'cat', 'dan']) lobbies.push(await searching(name, { state }))
  await tick()
  await work()
  const [ann, , , dan] = lobbies
  if (ann === undefined || dan === undefined) throw new Error('four lobbies were made')
  const matchId = (await now(ann)).matchId ?? ''
  const match = async () => (await matchyard.matches.get({ projectId, matchId })).match
  const teamOf = async (playerId: string) =>
    (await match()).teams.find(({ players }) => players.some((player) => player.playerId === playerId))?.name
  const openTeam = (await teamOf('dan')) ?? ''
  await matchyard.lobbies.leave(dan)

  const on = { projectId, matchId }
  /** Keeps a seat, by a player of the match or, without `by`, by the backend. */
  const keep = (targetPlayerId: string, by?: string, wish: { team?: string; holdSeconds?: number } = {}) =>
    matchyard.matches.keepSeat({
      ...on,
      targetPlayerId,
      ...wish,
      ...(by === undefined ? { backend: true } : { playerId: by, backend: false }),
    })
  const free = (targetPlayerId: string, by?: string) =>
    matchyard.matches.freeSeat({
      ...on,
      targetPlayerId,
      ...(by === undefined ? { backend: true } : { playerId: by, backend: false }),
    })
  const join = ({ lobbyId, playerId }: { readonly lobbyId: string; readonly playerId: string }) =>
    matchyard.matches.join({ ...on, lobbyId, playerId, backend: false })
  const playing = async () =>
    (await match()).teams.flatMap(({ name, players }) =>
      players.flatMap(({ playerId, leftAt }) => (leftAt === null ? [{ playerId, team: name }] : [])),
    )
  const kept = async () => (await match()).keptSeats?.map(({ playerId }) => playerId) ?? []
  const asked = async () => (await match()).backfill?.teams
  return {
    ...{ clock, matchyard, projectId, queueId, on, lobby, searching, tick, work, now, match, teamOf, openTeam },
    ...{ keep, free, join, playing, kept, asked, node },
  }
}

export type LateMatch = Awaited<ReturnType<typeof lateMatch>>
