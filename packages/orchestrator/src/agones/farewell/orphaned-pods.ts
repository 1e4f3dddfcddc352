import { belongs } from '../belongs'
import { isKept, withoutOurs } from '../finalizer'
import type { KubeClient } from '../kube/client'
import { GAMESERVERS, PODS } from '../kube/resources'
import type { GameServerItem, PodItem } from '../kube/shapes'
import { setFinalizers } from './set-finalizers'

/**
 * Removes our finalizer from orphaned pods. Agones may make the pod of a game server that was released a moment before.
 * Then the game server is deleted. Its pod ends but is never deleted, because it has our finalizer from the start. The
 * finalizer is removed from a pod that two consecutive calls find, so that pods in the usual process of removal are
 * left alone.
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
    // The local view may be stale.
    if (isOf(await this.client.get<GameServerItem>(GAMESERVERS, name), pod)) return
    await setFinalizers(this.client, PODS, name, ({ metadata }: PodItem) =>
      metadata.uid === uid ? withoutOurs(metadata) : undefined,
    )
  }
}

const isOf = (server: GameServerItem | undefined, pod: PodItem): boolean =>
  server !== undefined && belongs(pod, server.metadata)
