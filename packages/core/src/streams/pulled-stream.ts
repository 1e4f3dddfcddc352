import type { EventStream } from './event-stream'

/** What all streams have alike: a reader who waits where nothing is at hand, and an end. What is at hand each knows for itself. */
export abstract class PulledStream<Message> implements EventStream<Message> {
  abstract readonly projectId: string
  abstract readonly keyId: string | undefined
  abstract readonly readerId: string | undefined
  dropped = false
  private ended = false
  private wake: (() => void) | undefined
  private readonly ends: (() => void)[] = []

  abstract get lags(): boolean

  get isEnded(): boolean {
    return this.ended
  }

  get isOver(): boolean {
    return this.ended
  }

  abstract next(): Promise<Message | undefined>
  abstract fill(): Promise<void>
  abstract waits(chunk: object, chunkBytes: number, ownBytes: number): void
  abstract goesOn(): void

  close(): void {
    if (this.ended) return
    this.ended = true
    this.letGo()
    for (const end of this.ends.splice(0)) end()
    this.awake()
  }

  /** Cuts the reader off: it is too far behind, or takes nothing while others have no room. It resumes. */
  drop(): void {
    if (!this.ended) this.dropped = true
    this.close()
  }

  onEnd(cleanup: () => void): void {
    this.ends.push(cleanup)
  }

  /** There may be something for a reader who waits. */
  awake(): void {
    const { wake } = this
    this.wake = undefined
    wake?.()
  }

  /** Until there may be something, or the end. */
  protected sleep(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve
    })
  }

  /** At the end: nothing is kept for the reader any more. */
  protected letGo(): void {
    this.goesOn()
  }
}
