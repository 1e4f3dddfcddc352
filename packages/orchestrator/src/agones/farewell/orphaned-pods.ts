import { belongs } from '../belongs'
import { isKept, withoutOurs } from '../finalizer'
import type { KubeClient } from '../kube/client'
import { GAMESERVERS, PODS } from '../kube/resources'
import type { GameServerItem, PodItem } from '../kube/shapes'
import { setFinalizers } from './set-finalizers'

/**
 * Agones may make the pod of a game server that was let go of a moment before: that object goes, and the pod, which is made with our finalizer, would be
 * ended and never gone. One is let go of where it is seen twice, so that what is being put away the usual way is left to that.
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
    // What was heard may be old.
    if (isOf(await this.client.get<GameServerItem>(GAMESERVERS, name), pod)) return
    await setFinalizers(this.client, PODS, name, ({ metadata }: PodItem) =>
      metadata.uid === uid ? withoutOurs(metadata) : undefined,
    )
  }
}

const isOf = (server: GameServerItem | undefined, pod: PodItem): boolean =>
  server !== undefined && belongs(pod, server.metadata)
