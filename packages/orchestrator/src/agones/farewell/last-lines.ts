import type { ServerLogLine } from '@matchyard/core/ports'
import { stateOf } from '../condition'
import { ApiRefusal, Unreachable } from '../kube/errors'
import type { PodItem } from '../kube/shapes'

/** So often the lines of one that has ended are asked for; then it is put away without, and what follows it need not wait. */
const TRIES = 3
/** Of so many it is known how often. */
const REMEMBERED = 1_000

/** What there is to be had of ended servers' logs before they are let go of. Their nodes keep them, and may be gone. */
export class LastLines {
  private readonly failures = new Map<string, number>()

  constructor(private readonly read: (pod: PodItem) => Promise<ServerLogLine[]>) {}

  /** None where it has no log, or none that can be read. Throws where it is worth another try. */
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

/** Its node does not say how it ended, so it will not tell its lines: the cluster's interface dials it for longer than anybody waits. */
const isLeft = (pod: PodItem): boolean => stateOf(pod)?.terminated === undefined
