import { setTimeout as wait } from 'node:timers/promises'
import type { ChaosWorld } from './world'

export const DUEL_QUEUE = 'duel'
const LOOK_EVERY_MS = 100

interface LobbyBody {
  readonly status: string
  readonly match_id: string | null
  readonly version: number
}

/**
 * Lets one player after another search for an opponent; some players cancel. After the service has acknowledged a
 * cancellation, it must not match the player.
 */
export async function playDuels(world: ChaosWorld, name: string): Promise<void> {
  for (let turn = 0; world.loading; turn++) {
    const player = `${name}-${turn}`
    const lobbyId = await world.makeLobby(player, DUEL_QUEUE)
    const [path, queue] = [`/v1/lobbies/${lobbyId}`, `/v1/lobbies/${lobbyId}/queue`]
    await world.attempt({ method: 'POST', path: queue, player })
    if (world.random() < 0.3) {
      await wait(world.random() * 20)
      const cancelled = await world.attempt<LobbyBody>({ method: 'DELETE', path: queue, player })
      if (cancelled?.status === 200) {
        await wait(LOOK_EVERY_MS)
        const { body } = await world.insist<LobbyBody>({ method: 'GET', path })
        world.count('cancels acknowledged')
        if (body.status !== 'waiting' || body.version !== cancelled.body.version) {
          world.violations.push(`${lobbyId} was cancelled and acknowledged, and is ${JSON.stringify(body)}`)
        }
      }
    }
    await untilMatched(world, path)
    await world.insist({ method: 'DELETE', path, player })
  }
}

async function untilMatched(world: ChaosWorld, path: string): Promise<void> {
  while (world.loading) {
    const { body } = await world.insist<LobbyBody>({ method: 'GET', path })
    if (body.status === 'waiting') return
    if (body.status === 'in_game') return world.count('lobbies matched')
    await wait(LOOK_EVERY_MS)
  }
}

/**
 * Checks that no lobby was ever in two matches. Each lobby of this load stays queued until it is matched once, and is
 * then deleted.
 */
export async function checkMatches(world: ChaosWorld): Promise<void> {
  const { storage, projectId } = world.cluster
  const matches = await storage.matches.listRecent(`${projectId}/${DUEL_QUEUE}`, 0, 1_000_000)
  const seen = new Map<string, string>()
  for (const { id, teams } of matches) {
    world.count('matches checked')
    // The check uses the match's teams, which do not change when lobbies leave the match.
    const lobbyIds = teams.flatMap(({ players }) => players.map(({ lobbyId }) => lobbyId))
    if (lobbyIds.length !== 2 || new Set(lobbyIds).size !== 2)
      world.violations.push(`match ${id} has lobbies ${lobbyIds.join()}`)
    for (const lobbyId of lobbyIds) {
      const other = seen.get(lobbyId)
      if (other !== undefined) world.violations.push(`${lobbyId} is in two matches, ${other} and ${id}`)
      seen.set(lobbyId, id)
    }
  }
}
