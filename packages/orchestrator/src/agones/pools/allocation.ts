import type { LaunchSpec, Logger } from '@matchyard/core/ports'
import type { Cluster } from '../cluster'
import { ApiRefusal } from '../kube/errors'
import { ALLOCATIONS } from '../kube/resources'
import type { GameServerItem } from '../kube/shapes'
import { launchMarks } from '../manifest'
import { ANNOTATION, hashOf, LABEL } from '../names'

const UNTAKEN = { key: LABEL.instance, operator: 'DoesNotExist' }

interface AllocationAnswer {
  readonly status?: { readonly state?: string; readonly gameServerName?: string }
}

/**
 * Asks Agones to allocate a warm game server to this launch and to write the launch's labels and annotations in the
 * same step. Returns undefined when no warm game server is free or the cluster refuses. A lost answer does no harm: the
 * next try of the launch finds the game server by these labels and annotations.
 */
export async function allocate(
  cluster: Cluster,
  spec: LaunchSpec,
  of: { readonly pool: string; readonly installationId: string; readonly now: number; readonly logger: Logger },
): Promise<GameServerItem | undefined> {
  const { labels, annotations } = launchMarks(spec, of.installationId)
  const matchLabels = { [LABEL.installation]: hashOf(of.installationId, 40), [LABEL.pool]: of.pool }
  const allocatedAt = new Date(of.now).toISOString()
  let answer: AllocationAnswer
  try {
    answer = await cluster.client.ask<AllocationAnswer>({
      method: 'POST',
      path: cluster.client.path(ALLOCATIONS),
      body: {
        apiVersion: 'allocation.agones.dev/v1',
        kind: 'GameServerAllocation',
        spec: {
          // The state alone is not enough to select a free server: a server with players that calls `Ready()` of
          // Agones' SDK is Ready again.
          selectors: [{ matchLabels, matchExpressions: [UNTAKEN], gameServerState: 'Ready' }],
          metadata: { labels, annotations: { ...annotations, [ANNOTATION.allocatedAt]: allocatedAt } },
        },
      },
    })
  } catch (error) {
    // If the cluster refused the call, no game server was allocated. After any other error, a game server may have been
    // allocated.
    if (!(error instanceof ApiRefusal) || error.code === 429 || error.code >= 500) throw error
    of.logger.warn('no game server that waits could be taken', { cluster: cluster.name, error: error.message })
    return undefined
  }
  const { state, gameServerName } = answer.status ?? {}
  // UnAllocated: no warm game server is free. Contention: other launches take the game servers faster.
  return state === 'Allocated' && gameServerName !== undefined ? cluster.byName(gameServerName) : undefined
}
