import type { Service } from '../node/service'
import type { Signal } from '../ports/storage/index'
import { SECOND_MS } from '../shared/time'
import { OneAtATime } from './follower'
import { LiveKeys } from './live-keys'
import { LobbyFeeds } from './lobby/lobby-feeds'
import { LogFeeds } from './log/log-feeds'
import type { StreamsOfProject } from './places'
import { ProjectFeeds } from './project/project-feeds'
import { ServerFeeds } from './server/server-feeds'
import type { StreamLimits } from './stream-limits'
import { StreamRoom } from './stream-room'

/** Milliseconds after which a failed check of the streams is repeated. A check must not be skipped, because no other signal may follow. */
const LOOK_AGAIN_MS = SECOND_MS

/**
 * All streams of a node, the bounds for them, and the handling of signals for them. Each commit sends signals (`signalsOf`), which say only
 * that a source has changed. When signals may have been lost, `run` checks every source.
 */
export class NodeStreams extends OneAtATime {
  readonly lobbies: LobbyFeeds
  readonly servers: ServerFeeds
  readonly logs: LogFeeds
  readonly projects: ProjectFeeds
  private readonly room: StreamRoom
  private readonly keys: LiveKeys
  private readonly unsubscribe: () => void
  private cancelLook: (() => void) | undefined
  private closed = false

  constructor(
    private readonly ctx: Service,
    limits: StreamLimits,
  ) {
    super()
    this.room = new StreamRoom(limits)
    this.keys = new LiveKeys(ctx.storage, this.room.places)
    this.lobbies = new LobbyFeeds(ctx, this.room, limits.recentBytes)
    this.servers = new ServerFeeds(ctx, this.room)
    this.logs = new LogFeeds(ctx, this.room)
    this.projects = new ProjectFeeds(ctx, this.room, limits.feedBytes, this.keys)
    this.unsubscribe = ctx.storage.subscribe((signal) => this.onSignal(signal))
  }

  /** Number of open streams and waiting calls. */
  get open(): number {
    return this.room.places.taken
  }

  /** Returns the number of open streams and waiting calls of each project. */
  ofProjects(): StreamsOfProject[] {
    return this.room.places.byProjectNow()
  }

  /** Ends every stream. Called when the service stops. */
  close(): void {
    this.closed = true
    this.unsubscribe()
    this.cancelLook?.()
    for (const feeds of [this.lobbies, this.servers, this.logs, this.projects]) feeds.close()
  }

  /** Ends the streams of keys that are no longer valid, and reads the lobbies that have changed. */
  protected async once(): Promise<boolean> {
    try {
      await this.keys.look()
      await this.lobbies.look()
    } catch (error) {
      // The failed check lost no event, because the next check reads all new events.
      this.ctx.logger.warn('the streams could not look for changes', { error: String(error) })
      this.cancelLook?.()
      if (!this.closed) this.cancelLook = this.ctx.timers.after(LOOK_AGAIN_MS, () => void this.run())
    }
    return false
  }

  private onSignal({ topic, id }: Signal): void {
    if (topic === 'lobby') void this.lobbies.read(id)
    else if (topic === 'changes') void this.projects.read(id)
    else if (topic === 'server') void this.servers.read(id)
    else if (topic === 'match') void this.servers.readOfMatch(id)
    else if (topic === 'api-key') void this.keys.onKey(id)
    else if (topic === 'member') void this.keys.onMember(id)
    // When an account cannot be read, all API keys are checked, which reads the account again.
    else if (topic === 'account') void this.keys.onAccount(id).catch(() => this.run())
    else if (topic === 'project') void this.projects.endDeleted([id]).catch(() => {})
    else if (topic === 'resync' || topic === 'reset') {
      if (topic === 'reset') this.lobbies.forget()
      void this.servers.readAll()
      void this.projects.readAll()
      void this.run()
    }
  }
}
