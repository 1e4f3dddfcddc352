import type { Ports } from '../ports/ports'
import { inParts } from './in-parts'
import type { StreamPlace } from './places'
import type { PulledStream } from './pulled-stream'
import type { StreamRoom } from './stream-room'
import type { WaitingBytes } from './waiting-bytes'

/** Things read side by side where many may have changed at once, as after a time without signals. */
const READ_AT_ONCE = 16

/** Work that is done by one at a time, and once more where somebody asks for it meanwhile. */
export abstract class OneAtATime {
  private running: Promise<void> | undefined
  private again = false

  /** Asks for the work once more where it is being done. Returns whether it is. */
  joins(): boolean {
    if (this.running === undefined) return false
    this.again = true
    return true
  }

  /** Resolves when the work was done after this call. Throws what `once` throws. */
  run(): Promise<void> {
    this.again = true
    this.running ??= this.repeat()
    return this.running
  }

  /** Returns whether it is to be done again. */
  protected abstract once(): Promise<boolean>

  private async repeat(): Promise<void> {
    try {
      while (this.again) {
        this.again = false
        if (await this.once()) this.again = true
      }
    } finally {
      // This turn had no requests: a later request starts a new run.
      this.running = undefined
    }
  }
}

/** One thing that streams of this node follow: read once for all of them, one reading at a time. */
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

/** All things of one kind that streams of this node follow, each read once however many streams it has. */
export abstract class Follower<Stream extends PulledStream<unknown>, Thing extends Followed<Stream>> {
  private readonly things = new Map<string, Thing>()
  private closed = false
  /** Log text for a failed read, and the name of the id in it. */
  protected abstract readonly failure: { readonly text: string; readonly id: string }

  constructor(
    protected readonly ctx: Ports,
    readonly room: StreamRoom,
  ) {}

  get ids(): readonly string[] {
    return [...this.things.keys()]
  }

  /**
   * Reads a thing for its streams. Where it cannot be read they end and resume: going on would leave a gap. A reading that is under way goes
   * on, and only its first caller waits for it: signals that come faster than it ends leave nothing behind.
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

  /** Reads many, a few of them at once. */
  async readAll(ids = this.ids): Promise<void> {
    for (const some of inParts(ids, READ_AT_ONCE)) await Promise.all(some.map((id) => this.read(id)))
  }

  /** Ends every stream, and later ones as they begin. */
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

  /** A stream that has its place follows a thing from here on, until it ends. */
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

  /** Called when a thing has its first stream. */
  protected begins(_thing: Thing): void {}

  /** Called when the last stream of a thing has ended. */
  protected ends(_thing: Thing): void {}
}
