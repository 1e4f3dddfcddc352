import { setTimeout as wait } from 'node:timers/promises'
import type { Match } from '@matchyard/core'
import { uniqueKey } from '@matchyard/core/ports'
import type { ChaosWorld } from './world'

/** Queues that allow a player one live match, and a queue that allows several. */
const EXCLUSIVE = ['many_north', 'many_south', 'many_west'] as const
const SHARED = 'many_casual'
export const SEARCH_QUEUES = [
  ...EXCLUSIVE.map((queue_id) => ({ queue_id, concurrent_matches: false })),
  { queue_id: SHARED, concurrent_matches: true },
]
export const SEARCHERS = ['amy', 'ben', 'cem', 'dia', 'eli', 'fay']

const LOOK_EVERY_MS = 200
/** Most looks of a player at their own state before they give up their searches. */
const MAX_LOOKS = 25
const SAMPLE_EVERY_MS = 250
/** Matches of a queue that one sample reads: more than there are players. */
const NEWEST_MATCHES = 50

interface Me {
  readonly live_match: { readonly match_id: string } | null
}
interface LobbyBody {
  readonly last_exit: { readonly reason: string } | null
}

/**
 * Lets a player search in four queues on two devices, read their own state until they are in a match, and leave it, again
 * and again. When the player has left and deleted the lobbies, the player must be able to enter again.
 */
export async function playSearches(world: ChaosWorld, player: string): Promise<void> {
  while (world.loading) {
    const first = await world.makeLobby(player, EXCLUSIVE[0])
    await expectEntry(world, player, first)
    const device = async (...queueIds: string[]) => {
      const lobbies: string[] = []
      for (const queueId of queueIds) {
        const lobbyId = await world.makeLobby(player, queueId)
        await world.attempt({ method: 'POST', path: `/v1/lobbies/${lobbyId}/queue`, player })
        lobbies.push(lobbyId)
      }
      return lobbies
    }
    const others = await Promise.all([device(EXCLUSIVE[1], SHARED), device(EXCLUSIVE[2])])
    if (await isMatchedSoon(world, player)) await countEnded(world, others.flat())
    const left = await world.insist({ method: 'POST', path: '/v1/players/me/leave-match', player })
    if (left.status === 204) world.count('matches left')
    for (const lobbyId of [first, ...others.flat()]) await remove(world, lobbyId)
  }
}

/** Enters a queue. Records a violation when the player, who is in no match, is refused because of another match. */
async function expectEntry(world: ChaosWorld, player: string, lobbyId: string): Promise<void> {
  const { status, body } = await world.insist<{ code?: string }>({
    method: 'POST',
    path: `/v1/lobbies/${lobbyId}/queue`,
    player,
  })
  // A repeated call finds the lobby in the queue, or already matched.
  if (status === 200 || body.code === 'INVALID_LOBBY_STATE') return world.count('searches begun')
  world.violations.push(`${player} is in no match and cannot enter: ${JSON.stringify(body)}`)
}

async function isMatchedSoon(world: ChaosWorld, player: string): Promise<boolean> {
  for (let look = 0; look < MAX_LOOKS && world.loading; look++) {
    const { body } = await world.insist<Me>({ method: 'GET', path: '/v1/players/me', player })
    if (body.live_match !== null) {
      world.count('searchers matched')
      return true
    }
    await wait(LOOK_EVERY_MS)
  }
  return false
}

/** Counts the searches that ended because the player was matched in another one. */
async function countEnded(world: ChaosWorld, lobbyIds: readonly string[]): Promise<void> {
  await wait(LOOK_EVERY_MS)
  for (const lobbyId of lobbyIds) {
    const { body } = await world.insist<LobbyBody>({ method: 'GET', path: `/v1/lobbies/${lobbyId}` })
    if (body.last_exit?.reason === 'matched_elsewhere') world.count('searches ended elsewhere')
  }
}

const remove = (world: ChaosWorld, lobbyId: string) =>
  world.insist({ method: 'DELETE', path: `/v1/lobbies/${lobbyId}`, key: world.cluster.serverKey })

/** Reads the live matches again and again, and records a violation when a player is in two of them. */
export async function watchSearchers(world: ChaosWorld): Promise<void> {
  while (world.loading) {
    // The database restarts during the run; a sample that fails is left out.
    await sample(world).catch(() => world.count('samples that failed'))
    await wait(SAMPLE_EVERY_MS)
  }
}

async function sample(world: ChaosWorld): Promise<void> {
  const { storage, projectId } = world.cluster
  const lists = EXCLUSIVE.map((queueId) => storage.matches.listRecent(`${projectId}/${queueId}`, 0, NEWEST_MATCHES))
  const seen = (await Promise.all(lists)).flat()
  for (const player of SEARCHERS) {
    const ids = seen.filter((match) => isIn(match, player)).map(({ id }) => id)
    if (ids.length < 2) continue
    // The lists were read one after another. One read of these matches shows them as they are at the same time.
    const both = (await storage.getMany('match', ids)).filter((match) => isIn(match, player))
    if (both.length > 1) world.violations.push(`${player} is in ${both.map(({ id }) => id).join(' and ')}`)
  }
  world.count('samples of matches')
}

const isIn = ({ endedAt, holdsPlayers, teams }: Match, player: string): boolean =>
  endedAt === null &&
  holdsPlayers === true &&
  teams.some(({ players }) => players.some(({ playerId, leftAt }) => playerId === player && leftAt === null))

/** Checks after the load that no player is locked out: no match holds them, and each can enter every queue again. */
export async function checkSearchers(world: ChaosWorld): Promise<void> {
  const { storage, projectId } = world.cluster
  for (const player of SEARCHERS) {
    const match = await storage.find('match', uniqueKey.livePlayer(projectId, player))
    if (match !== undefined) world.violations.push(`${player} has no lobby and is held by ${match.id}`)
    for (const queueId of EXCLUSIVE) {
      const lobbyId = await world.makeLobby(player, queueId)
      await expectEntry(world, player, lobbyId)
      await remove(world, lobbyId)
    }
  }
}
