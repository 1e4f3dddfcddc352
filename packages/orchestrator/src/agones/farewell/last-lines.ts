import type { ServerLogLine } from '@matchyard/core/ports'
import { stateOf } from '../condition'
import { ApiRefusal, Unreachable } from '../kube/errors'
import type { PodItem } from '../kube/shapes'

/**
 * Number of tries to read an ended server's log. After that, the server is removed without its last lines, so that the
 * next attempt need not wait.
 */
const TRIES = 3
/** Maximum number of pods for which failed tries are counted. */
const REMEMBERED = 1_000

/**
 * Reads the logs of ended servers before the servers are removed from the cluster. The logs are stored on the cluster's
 * nodes, which may no longer exist.
 */
export class LastLines {
  private readonly failures = new Map<string, number>()

  constructor(private readonly read: (pod: PodItem) => Promise<ServerLogLine[]>) {}

  /**
   * Returns the lines of a pod's log; no lines when no log exists or the log cannot be read. Rejects when another try
   * may succeed.
   */
  async of(pod: PodItem | undefined): Promise<ServerLogLine[]> {
    if (pod === undefined) return []
    const { uid } = pod.metadata
    try {
      const lines = await this.read(pod)
      this.failures.delete(uid)
      return lines
    } catch (error) {
      if (!(error instanceof ApiRefusal || error instanceof Unreachable)) throw error
      const count = (this.failures.get(uid) ?? 0) + 1
      this.failures.delete(uid)
      if (count >= TRIES || isLeft(pod)) return []
      this.failures.set(uid, count)
      const [oldest = ''] = this.failures.keys()
      if (this.failures.size > REMEMBERED) this.failures.delete(oldest)
      throw error
    }
  }
}

/**
 * Whether the node has not reported how the container ended. Such a node does not return the log either: the cluster's
 * API would try to reach the node for longer than a caller waits.
 */
const isLeft = (pod: PodItem): boolean => stateOf(pod)?.terminated === undefined
