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

/** Lines of an attempt that are read at the most. */
const READ_LINES = 10_000
/** What was heard of a server that was asked to end is waited for so long, once it has ended. */
const FAREWELL_MS = 2_000

interface WithPod {
  readonly pod: PodItem | undefined
}

/** What game servers of a cluster say, by their nodes; by who listened where their nodes keep it no more; of a crash by their pods. */
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

  /** What it said so far, or to its end, as far as that is to be had; the newest lines, oldest first. */
  async said({ pod }: WithPod, limit: number): Promise<readonly ServerLogLine[]> {
    if (pod === undefined || limit <= 0) return []
    const lines = await this.read(pod, Math.min(limit, READ_LINES))
    return lines.length > 0 ? lines : (await this.heardOf(pod)).slice(-limit)
  }

  /** The same, before it is let go of. */
  async last({ pod }: WithPod): Promise<readonly ServerLogLine[]> {
    if (pod === undefined) return []
    const lines = await this.lastLines.of(pod)
    const heard = lines.length > 0 ? lines : await this.heardOf(pod)
    this.farewells.forget(pod.metadata)
    return heard
  }

  /** Before it is asked to end. What one says that has begun is kept with its launch. */
  async hearOut({ instanceId, attempt }: LaunchMark, pod: PodItem, graceMs: number): Promise<void> {
    if (stateOf(pod)?.running === undefined) return
    await this.farewells.listen(pod, graceMs, (lines) => this.notes.hear(instanceId, attempt, lines))
  }

  private async read(pod: PodItem, lines: number): Promise<ServerLogLine[]> {
    try {
      return linesOf(await this.client.text(this.pathOf(pod.metadata, lines)))
    } catch (error) {
      // It has not begun, or its node is gone with what it kept.
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
