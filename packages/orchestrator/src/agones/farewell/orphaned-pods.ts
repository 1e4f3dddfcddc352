import { belongs } from '../belongs'
import { isKept, withoutOurs } from '../finalizer'
import type { KubeClient } from '../kube/client'
import { GAMESERVERS, PODS } from '../kube/resources'
import type { GameServerItem, PodItem } from '../kube/shapes'
import { setFinalizers } from './set-finalizers'

/**
 * Removes this service's finalizer from orphaned pods, so that the cluster deletes them. Such a pod arises when Agones
 * makes the pod of a game server that the service released a moment before. The pod ends after the game server is
 * deleted, but it has the finalizer from the start, so the cluster never deletes it. The class changes only pods that
 * two consecutive calls find, because a pod in the usual process of removal looks the same for a moment.
 */
export class OrphanedPods {
  private seen: ReadonlySet<string> = new Set()

  constructor(private readonly client: KubeClient) {}

  async free(pods: readonly PodItem[], serverKnown: (name: string) => GameServerItem | undefined): Promise<void> {
    const found = pods.filter((pod) => {
      const { name, deletionTimestamp } = pod.metadata
      return deletionTimestamp !== undefined && isKept(pod.metadata) && !isOf(serverKnown(name), pod)
    })
    for (const pod of found) if (this.seen.has(pod.metadata.uid)) await this.letGo(pod)
    this.seen = new Set(found.map(({ metadata }) => metadata.uid))
  }

  private async letGo(pod: PodItem): Promise<void> {
    const { name, uid } = pod.metadata
    // The local view may be stale, so this reads the game server from the cluster.
    if (isOf(await this.client.get<GameServerItem>(GAMESERVERS, name), pod)) return
    await setFinalizers(this.client, PODS, name, ({ metadata }: PodItem) =>
      metadata.uid === uid ? withoutOurs(metadata) : undefined,
    )
  }
}

const isOf = (server: GameServerItem | undefined, pod: PodItem): boolean =>
  server !== undefined && belongs(pod, server.metadata)
