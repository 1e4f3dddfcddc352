import type { LoggedEvent } from '../ports/storage/index'

/** What an event takes beside its text, about. */
const EVENT_OVERHEAD_BYTES = 512

interface Page {
  readonly lobbyId: string
  readonly events: readonly LoggedEvent[]
  readonly bytes: number
}

/**
 * The pages of logs that were read last, whoever read them: the readers of a lobby share its events, and what is made of them.
 * Bounded in bytes; what was read longest ago goes first, and is in the log still.
 */
export class RecentPages {
  private bytes = 0
  /** Oldest first. */
  private readonly pages = new Set<Page>()
  private readonly byLobby = new Map<string, Page[]>()

  constructor(private readonly maxBytes: number) {}

  /** Keeps a page of one lobby's events, in order and without a gap. The newest is kept whatever its size. */
  add(lobbyId: string, events: readonly LoggedEvent[]): void {
    if (events.length === 0) return
    const bytes = events.reduce((sum, event) => sum + event.bytes + EVENT_OVERHEAD_BYTES, 0)
    const page = { lobbyId, events, bytes }
    this.pages.add(page)
    this.bytes += bytes
    const ofLobby = this.byLobby.get(lobbyId)
    if (ofLobby === undefined) this.byLobby.set(lobbyId, [page])
    else ofLobby.push(page)
    for (const oldest of this.pages) {
      if (this.bytes <= this.maxBytes || oldest === page) break
      this.remove(oldest)
    }
  }

  find(lobbyId: string, version: number): LoggedEvent | undefined {
    const ofLobby = this.byLobby.get(lobbyId) ?? []
    // Most readers are at the end.
    for (let index = ofLobby.length - 1; index >= 0; index--) {
      const events = ofLobby[index]?.events ?? []
      const event = events[version - (events[0]?.version ?? 0)]
      if (event !== undefined) return event
    }
    return undefined
  }

  /** For a history that is no longer true. */
  forget(lobbyId: string): void {
    for (const page of this.byLobby.get(lobbyId) ?? []) this.remove(page)
  }

  forgetAll(): void {
    for (const page of this.pages) this.remove(page)
  }

  private remove(page: Page): void {
    this.pages.delete(page)
    this.bytes -= page.bytes
    const left = (this.byLobby.get(page.lobbyId) ?? []).filter((other) => other !== page)
    if (left.length === 0) this.byLobby.delete(page.lobbyId)
    else this.byLobby.set(page.lobbyId, left)
  }
}
