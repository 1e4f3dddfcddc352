import type { ServerLogLine } from '@matchyard/core/ports'
import { stateOf } from '../condition'
import type { KubeClient, Pauses } from '../kube/client'
import { isRefused } from '../kube/errors'
import { PODS } from '../kube/resources'
import type { KubeMeta, PodItem } from '../kube/shapes'
import { CONTAINER, type LaunchMark } from '../names'
import { NOTED_LINES } from './ended-note'
import { Farewells } from './farewells'
import { LastLines } from './last-lines'
import { lastWordsOf, linesOf } from './log-lines'
import type { Notes } from './notes'

/** Maximum number of log lines that are read of one attempt. */
const READ_LINES = 10_000
/** Milliseconds to wait for the rest of a followed log after its server has ended. */
const FAREWELL_MS = 2_000

interface WithPod {
  readonly pod: PodItem | undefined
}

/**
 * Logs of the game servers of one cluster. A log comes from the node; when the node no longer has the log, from the
 * lines that this process received while it followed the log; after a crash, from the pod's status.
 */
export class ServerLogs {
  private readonly lastLines = new LastLines((pod) => this.read(pod, NOTED_LINES))
  private readonly farewells: Farewells

  constructor(
    private readonly client: KubeClient,
    private readonly notes: Notes,
    pauses: Pauses,
  ) {
    const follow = (pod: KubeMeta, signal: AbortSignal) =>
      client.stream(`${this.pathOf(pod, NOTED_LINES)}&follow=true`, signal)
    this.farewells = new Farewells({ follow, pauses })
  }

  /**
   * Returns the newest lines of a server's log, up to now or up to the server's end, as far as a source has them;
   * oldest first.
   */
  async said({ pod }: WithPod, limit: number): Promise<readonly ServerLogLine[]> {
    if (pod === undefined || limit <= 0) return []
    const lines = await this.read(pod, Math.min(limit, READ_LINES))
    return lines.length > 0 ? lines : (await this.heardOf(pod)).slice(-limit)
  }

  /**
   * Returns the last log lines of an ended server before the server is removed from the cluster. Rejects when another
   * try may succeed.
   */
  async last({ pod }: WithPod): Promise<readonly ServerLogLine[]> {
    if (pod === undefined) return []
    const lines = await this.lastLines.of(pod)
    const heard = lines.length > 0 ? lines : await this.heardOf(pod)
    this.farewells.forget(pod.metadata)
    return heard
  }

  /**
   * Starts to follow the log of a running server before the server is asked to end. The lines are added to the note of
   * its instance.
   */
  async hearOut({ instanceId, attempt }: LaunchMark, pod: PodItem, graceMs: number): Promise<void> {
    if (stateOf(pod)?.running === undefined) return
    await this.farewells.listen(pod, graceMs, (lines) => this.notes.hear(instanceId, attempt, lines))
  }

  private async read(pod: PodItem, lines: number): Promise<ServerLogLine[]> {
    try {
      return linesOf(await this.client.text(this.pathOf(pod.metadata, lines)))
    } catch (error) {
      // The log cannot be followed: the container has not started, or its node no longer exists and the log is lost.
      if (isRefused(error, 400, 404, 500)) return []
      throw error
    }
  }

  private async heardOf(pod: PodItem): Promise<readonly ServerLogLine[]> {
    const heard = await this.farewells.of(pod.metadata, FAREWELL_MS)
    return heard.length > 0 ? heard : lastWordsOf(stateOf(pod)?.terminated ?? {})
  }

  private pathOf({ name }: KubeMeta, lines: number): string {
    return `${this.client.path(PODS, name)}/log?container=${CONTAINER}&timestamps=true&tailLines=${lines}`
  }
}
