import type { ServerLogLine } from '@matchyard/core/ports'
import type { Pauses } from '../kube/client'
import type { KubeMeta, PodItem } from '../kube/shapes'
import { linesOf } from './log-lines'

/** A stop does not wait longer for somebody to listen. */
const OPENS_WITHIN_MS = 1_000
/** A node gives a server its grace, and tells its end soon after. */
const LONGER_THAN_GRACE_MS = 30_000
/** At once, and of so many it is known what they said; others are asked to end without anybody listening. */
const MOST = 100
/** Of one, the newest. */
const MOST_CHARACTERS = 512 * 1024

interface Heard {
  text: string
  isOver: boolean
  readonly whenOver: Promise<void>
}

export interface FarewellParts {
  /** A stream of its newest lines and of those that come, until it ends. */
  readonly follow: (pod: KubeMeta, signal: AbortSignal) => Promise<AsyncIterable<Buffer>>
  readonly pauses: Pauses
}

/**
 * What game servers say until they have ended as they were asked to. A node removes the log of a pod that is deleted together with its containers, as
 * soon as they have ended, whoever keeps the pod's object: so whoever deletes one listens from before that.
 */
export class Farewells {
  private readonly heard = new Map<string, Heard>()

  constructor(private readonly parts: FarewellParts) {}

  /** Waits until somebody listens, if not for long. `kept` is called with what was said once all of it was. */
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

  /** What this process heard of it, which may be less than it said; waits for the rest, if not for long. */
  async of({ uid }: KubeMeta, patienceMs: number): Promise<readonly ServerLogLine[]> {
    const heard = this.heard.get(uid)
    if (heard === undefined) return []
    await Promise.race([heard.whenOver, this.pause(patienceMs)])
    return linesOf(heard.text)
  }

  forget({ uid }: KubeMeta): void {
    this.heard.delete(uid)
  }

  /** Another node may have put away what was heard here: the oldest of it goes. */
  private hasPlace(): boolean {
    if (this.heard.size < MOST) return true
    const oldest = [...this.heard].find(([, { isOver }]) => isOver)
    return oldest !== undefined && this.heard.delete(oldest[0])
  }

  /** Whether it was heard to its end. */
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
      return false // it is told without its last words
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
    // What is not all may still be had from its node.
    if (isAll && lines.length > 0) await kept(lines).catch(() => {})
  }

  private pause(ms: number, signal?: AbortSignal): Promise<void> {
    return this.parts.pauses.pause(ms, signal).catch(() => {})
  }
}
