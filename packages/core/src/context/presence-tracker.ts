import type { Logger } from '../ports/logger'
import type { Storage } from '../ports/storage/index'

/** A player's sightings closer together than this are written once; a quarter of the smallest timeout (docs/http-api.md §5: 1 s). */
const COALESCE_MS = 250
/** Sightings of the last quarter second that are remembered for coalescing; past it the memory is dropped, which only costs writes. */
const MAX_REMEMBERED = 100_000

/** Notes that players and processes were seen. Never fails a call: a lost sighting costs at most one later one. */
export class PresenceTracker {
  /** The longest ago first. */
  private readonly written = new Map<string, number>()
  private readonly streams = new Map<
    string,
    { scope: string; member: string; count: number; everyMs: number; dueAt: number }
  >()

  constructor(
    private readonly storage: Storage,
    private readonly logger: Logger,
  ) {}

  async touch(scope: string, member: string, at: number): Promise<void> {
    const key = `${scope}\n${member}`
    const last = this.written.get(key)
    if (last !== undefined && at - last < COALESCE_MS) return
    this.forgetOlder(at - COALESCE_MS)
    if (this.written.size >= MAX_REMEMBERED) this.written.clear()
    this.written.delete(key)
    this.written.set(key, at)
    await this.write([{ scope, member, at }])
  }

  /** An open event stream counts as a heartbeat every quarter of the lobby's smallest timeout, until the answer is called. */
  streamOpened(scope: string, member: string, at: number, timeoutMs: number): () => void {
    const key = `${scope}\n${member}`
    const entry = this.streams.get(key) ?? {
      scope,
      member,
      count: 0,
      everyMs: Math.max(COALESCE_MS, timeoutMs / 4),
      dueAt: at,
    }
    entry.count++
    this.streams.set(key, entry)
    let open = true
    return () => {
      if (!open) return
      open = false
      entry.count--
      if (entry.count === 0 && this.streams.get(key) === entry) this.streams.delete(key)
    }
  }

  /** Writes the open streams that are due, in one call. */
  async sweep(now: number): Promise<void> {
    const due = [...this.streams.values()].filter((stream) => stream.dueAt <= now)
    for (const stream of due) stream.dueAt = now + stream.everyMs
    if (due.length > 0) await this.write(due.map(({ scope, member }) => ({ scope, member, at: now })))
  }

  /** When the next sweep is due. */
  nextSweepAt(): number | undefined {
    let next: number | undefined
    for (const stream of this.streams.values()) if (next === undefined || stream.dueAt < next) next = stream.dueAt
    return next
  }

  private forgetOlder(than: number): void {
    for (const [key, at] of this.written) {
      if (at > than) break
      this.written.delete(key)
    }
  }

  /** How many sightings are remembered. */
  get remembered(): number {
    return this.written.size
  }

  private async write(entries: { scope: string; member: string; at: number }[]): Promise<void> {
    try {
      await this.storage.presence.touch(entries)
    } catch (error) {
      for (const { scope, member } of entries) this.written.delete(`${scope}\n${member}`)
      this.logger.warn('presence could not be written', { error: String(error) })
    }
  }
}
