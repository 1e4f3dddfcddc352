import { createMatchyard, type Matchyard } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { nodePlatform } from '@matchyard/node'

export interface EmbeddedMatchmaker {
  readonly matchyard: Matchyard
  readonly projectId: string
  /** Account whose keys and plan the project uses. */
  readonly accountId: string
}

/** Starts the matchmaker with this game's project and queue. `start` also runs its worker, which finds the matches. */
export async function startMatchmaker(options: { storage: Storage; secret: string }): Promise<EmbeddedMatchmaker> {
  const matchyard = createMatchyard({ storage: options.storage, ...nodePlatform({ secret: options.secret }) })
  await matchyard.start()
  const { id: projectId, accountId } = await matchyard.projects.ensure({ name: 'My game' })
  const queues = await matchyard.queues.list({ projectId, limit: 1, offset: 0 })
  if (queues.total === 0) {
    await matchyard.queues.create({
      projectId,
      queueId: 'duel',
      name: 'Duel',
      matchmaking: { teams: 2, playersPerTeam: 1 },
    })
  }
  return { matchyard, projectId, accountId }
}

/**
 * Returns a client key for games that call `/v1`. The key is created at the first start, and its value is never shown
 * again.
 */
export async function firstClientKey({ matchyard, projectId, accountId }: EmbeddedMatchmaker) {
  const keys = await matchyard.keys.list({ accountId, projectId, limit: 1, offset: 0 })
  if (keys.total > 0) return undefined
  return (await matchyard.keys.mint({ accountId, projectId, type: 'client' })).value
}
