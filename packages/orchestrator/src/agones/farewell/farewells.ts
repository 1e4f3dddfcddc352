import type { ServerLogLine } from '@matchyard/core/ports'
import type { Pauses } from '../kube/client'
import type { KubeMeta, PodItem } from '../kube/shapes'
import { linesOf } from './log-lines'

/** Maximum milliseconds that the stop of a server waits until the log stream is open. */
const OPENS_WITHIN_MS = 1_000
/**
 * Milliseconds after the grace period during which the service still follows the log: a node reports the end soon after
 * the grace period.
 */
const LONGER_THAN_GRACE_MS = 30_000
/**
 * Maximum number of logs in memory: logs that are still followed, and logs that have ended. Above this number, servers
 * are asked to end without following their logs.
 */
const MOST = 100
/** Maximum number of characters that are kept of one log; the newest characters are kept. */
const MOST_CHARACTERS = 512 * 1024

interface Heard {
  text: string
  isOver: boolean
  readonly whenOver: Promise<void>
}

export interface FarewellParts {
  /** Returns a stream with the newest lines of a log and with all further lines, until the log ends. */
  readonly follow: (pod: KubeMeta, signal: AbortSignal) => Promise<AsyncIterable<Buffer>>
  readonly pauses: Pauses
}

/**
 * Follows the logs of game servers that are asked to end. As soon as the containers of a deleted pod have ended, the
 * node removes the pod's log, even when a finalizer keeps the pod object. So the service begins to follow a log before
 * it deletes the pod.
 */
export class Farewells {
  private readonly heard = new Map<string, Heard>()

  constructor(private readonly parts: FarewellParts) {}

  /**
   * Starts to follow the log of a pod, and waits at most 1 second until the log stream is open. Calls `kept` with all
   * lines when the log has ended.
   */
  async listen(
    { metadata }: PodItem,
    graceMs: number,
    kept: (lines: readonly ServerLogLine[]) => Promise<void>,
  ): Promise<void> {
    if (this.heard.has(metadata.uid) || !this.hasPlace()) return
    const opened = new AbortController()
    const over = this.hear(metadata, graceMs + LONGER_THAN_GRACE_MS, () => opened.abort())
    const whenOver = over.then(async (isAll) => {
      await this.keep(metadata, isAll, kept)
      heard.isOver = true
    })
    const heard: Heard = { text: '', isOver: false, whenOver }
    this.heard.set(metadata.uid, heard)
    await Promise.race([heard.whenOver, this.pause(OPENS_WITHIN_MS, opened.signal)])
  }

  /**
   * Returns the lines of a log that this process has received so far; some lines may be missing. Waits at most
   * `patienceMs` for the rest of the log.
   */
  async of({ uid }: KubeMeta, patienceMs: number): Promise<readonly ServerLogLine[]> {
    const heard = this.heard.get(uid)
    if (heard === undefined) return []
    await Promise.race([heard.whenOver, this.pause(patienceMs)])
    return linesOf(heard.text)
  }

  forget({ uid }: KubeMeta): void {
    this.heard.delete(uid)
  }

  /**
   * Whether another log can be followed. When there are 100 logs, the method drops the oldest log that has ended:
   * another node may have removed its server.
   */
  private hasPlace(): boolean {
    if (this.heard.size < MOST) return true
    const oldest = [...this.heard].find(([, { isOver }]) => isOver)
    return oldest !== undefined && this.heard.delete(oldest[0])
  }

  /** Follows a log. Returns whether the log was followed to its end. */
  private async hear(metadata: KubeMeta, withinMs: number, opened: () => void): Promise<boolean> {
    const patience = new AbortController()
    const done = new AbortController()
    void this.pause(withinMs, done.signal).then(() => patience.abort())
    try {
      const stream = await this.parts.follow(metadata, patience.signal)
      opened()
      const decoder = new TextDecoder()
      for await (const chunk of stream) this.add(metadata, decoder.decode(chunk, { stream: true }))
      return true
    } catch {
      return false // then the exit is reported without the last log lines
    } finally {
      done.abort()
    }
  }

  private add({ uid }: KubeMeta, text: string): void {
    const heard = this.heard.get(uid)
    if (heard !== undefined) heard.text = `${heard.text}${text}`.slice(-MOST_CHARACTERS)
  }

  private async keep(
    { uid }: KubeMeta,
    isAll: boolean,
    kept: (lines: readonly ServerLogLine[]) => Promise<void>,
  ): Promise<void> {
    const lines = linesOf(this.heard.get(uid)?.text ?? '')
    // An incomplete log is not kept, because the pod's node may still return the whole log.
    if (isAll && lines.length > 0) await kept(lines).catch(() => {})
  }

  private pause(ms: number, signal?: AbortSignal): Promise<void> {
    return this.parts.pauses.pause(ms, signal).catch(() => {})
  }
}
