import type { Ports } from '../ports/ports'
import { inParts } from './in-parts'
import type { StreamPlace } from './places'
import type { PulledStream } from './pulled-stream'
import type { StreamRoom } from './stream-room'
import type { WaitingBytes } from './waiting-bytes'

/**
 * Maximum number of sources (for instance logs of lobbies) that are read at the same time. Many sources are read at once after a period
 * without signals.
 */
const READ_AT_ONCE = 16

/** Work that never runs twice at the same time. A request that arrives during a run causes one more run after that run. */
export abstract class OneAtATime {
  private running: Promise<void> | undefined
  private again = false

  /** Requests one more run after the current run, if one is in progress. Returns whether a run is in progress. */
  joins(): boolean {
    if (this.running === undefined) return false
    this.again = true
    return true
  }

  /** Resolves when a complete run that began after this call has ended. Rejects with the error of `once`. */
  run(): Promise<void> {
    this.again = true
    this.running ??= this.repeat()
    return this.running
  }

  /** Does the work once. Returns whether the work must be done again. */
  protected abstract once(): Promise<boolean>

  private async repeat(): Promise<void> {
    try {
      while (this.again) {
        this.again = false
        if (await this.once()) this.again = true
      }
    } finally {
      // No request arrived during the run, so a later request starts a new run.
      this.running = undefined
    }
  }
}

/**
 * Source that streams of this node follow, for instance a lobby's log. The source is read once for all its streams, with one read at a
 * time.
 */
export abstract class Followed<Stream extends PulledStream<unknown>> extends OneAtATime {
  /** Bytes that wait for the readers of this node. */
  abstract readonly waiting: WaitingBytes
  readonly streams = new Set<Stream>()

  constructor(readonly id: string) {
    super()
  }

  closeAll(): void {
    for (const stream of [...this.streams]) stream.close()
  }
}

/**
 * All sources of one kind (for instance logs of lobbies) that streams of this node follow. Each source is read once, for any number of
 * streams.
 */
export abstract class Follower<Stream extends PulledStream<unknown>, Thing extends Followed<Stream>> {
  private readonly things = new Map<string, Thing>()
  private closed = false
  /** Text of the log line for a failed read, and the name of the log field for the source's id. */
  protected abstract readonly failure: { readonly text: string; readonly id: string }

  constructor(
    protected readonly ctx: Ports,
    readonly room: StreamRoom,
  ) {}

  get ids(): readonly string[] {
    return [...this.things.keys()]
  }

  /**
   * Reads a source for its streams. When the read fails, its streams end and their readers resume, because continuing would leave a gap.
   * When a read of the source is running, this call only requests another read and returns at once.
   */
  async read(id: string): Promise<void> {
    const thing = this.things.get(id)
    if (thing === undefined || thing.joins()) return
    try {
      await thing.run()
    } catch (error) {
      this.ctx.logger.warn(this.failure.text, { [this.failure.id]: id, error: String(error) })
      thing.closeAll()
    }
  }

  /** Reads several sources, at most `READ_AT_ONCE` at the same time. */
  async readAll(ids = this.ids): Promise<void> {
    for (const some of inParts(ids, READ_AT_ONCE)) await Promise.all(some.map((id) => this.read(id)))
  }

  /** Ends every stream. Streams that are opened later end at once. */
  close(): void {
    this.closed = true
    for (const thing of this.all()) thing.closeAll()
  }

  protected get(id: string): Thing | undefined {
    return this.things.get(id)
  }

  protected all(): readonly Thing[] {
    return [...this.things.values()]
  }

  /** Adds a stream, which holds a place, to the source that the stream follows. The stream stays there until it ends. */
  protected add(stream: Stream, thing: Thing, place: StreamPlace): void {
    if (!this.things.has(thing.id)) {
      this.things.set(thing.id, thing)
      this.begins(thing)
    }
    thing.streams.add(stream)
    stream.onEnd(() => {
      thing.streams.delete(stream)
      if (thing.streams.size > 0 || this.things.get(thing.id) !== thing) return
      this.things.delete(thing.id)
      this.ends(thing)
    })
    place.fill(stream)
    if (this.closed) stream.close()
  }

  /** Called when a source gets its first stream. */
  protected begins(_thing: Thing): void {}

  /** Called when the last stream of a source has ended. */
  protected ends(_thing: Thing): void {}
}
