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
 * Has the platform give one that waits to this launch, which it marks in the same write; undefined where it has none. An answer that is lost is
 * no harm: whoever launches again finds what bears the mark.
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
          // One that plays may say `Ready()` by Agones' SDK, and is Ready again then.
          selectors: [{ matchLabels, matchExpressions: [UNTAKEN], gameServerState: 'Ready' }],
          metadata: { labels, annotations: { ...annotations, [ANNOTATION.allocatedAt]: allocatedAt } },
        },
      },
    })
  } catch (error) {
    // Refused, nothing was given; else it may have been.
    if (!(error instanceof ApiRefusal) || error.code === 429 || error.code >= 500) throw error
    of.logger.warn('no game server that waits could be taken', { cluster: cluster.name, error: error.message })
    return undefined
  }
  const { state, gameServerName } = answer.status ?? {}
  // UnAllocated: none waits. Contention: others take them faster.
  return state === 'Allocated' && gameServerName !== undefined ? cluster.byName(gameServerName) : undefined
}
