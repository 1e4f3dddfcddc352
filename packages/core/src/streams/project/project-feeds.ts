import { refuseUnknown, validationFailed } from '../../errors/service-error'
import { KeyedQueue } from '../../node/keyed-queue'
import type { Service } from '../../node/service'
import { CHANGE_KINDS, type ChangeKind } from '../../ports/storage/index'
import { requireProject } from '../../reads/require'
import type { NamesOf } from '../../shared/known-names'
import { type Instant, SECOND_MS } from '../../shared/time'
import { Follower } from '../follower'
import { inParts } from '../in-parts'
import type { LiveKeys } from '../live-keys'
import type { StreamPlace } from '../places'
import { RecentPages } from '../recent-pages'
import type { StreamRoom } from '../stream-room'
import { Turns } from '../turns'
import type { Batch } from './batches'
import { Feed } from './feed'
import type { FeedKinds } from './feed-change'
import { FeedStream } from './feed-stream'
import { type OfAllProjects, ProjectLog, UNREAD } from './project-log'

/** Maximum number of concurrent reads of changes on one node. The bound leaves database connections free for commits. */
const READ_AT_ONCE = 4
/**
 * Divisor for the memory of pages. A project may use at most 1 / PROJECTS_PART of the memory, so that a project with many changes leaves
 * memory to other projects.
 */
const PROJECTS_PART = 4
/**
 * Milliseconds between two checks of all feeds without a signal. The checks are needed because signals may be lost, and because cursors
 * must not expire.
 */
const LOOK_EVERY_MS = 15 * SECOND_MS
/** Maximum number of rows that one call of the storage reads. */
const ROWS_AT_ONCE = 1_000

/** Options of a project's feed. */
export interface FeedOptions {
  /** Kinds of entities to send. Default: all kinds. */
  readonly kinds?: readonly ChangeKind[] | undefined
  /**
   * Cursor of an earlier feed of this project, at most an hour old. The feed sends the changes since then. An invalid cursor gives a gap.
   */
  readonly cursor?: string | undefined
  /** API key of the reader; the feed ends when the key is revoked. */
  readonly keyId?: string | undefined
  /**
   * Account that owns the key. All projects of one account together may use only a part of this node's places (each place is one stream or
   * waiting call).
   */
  readonly accountId?: string | undefined
  /** Time at which the feed ends, because the caller's key or session expires. */
  readonly until?: Instant | undefined
  /** Awaited after the feed has taken its place, before anything is read for the feed. */
  readonly turn?: (() => Promise<void>) | undefined
}

const OPTIONS: NamesOf<FeedOptions> = {
  kinds: true,
  cursor: true,
  keyId: true,
  accountId: true,
  until: true,
  turn: true,
}

/** Figures of a node's feeds: the current number of readers, and counters since the start of the node. */
export interface FeedFigures {
  /** Number of current readers. */
  readonly readers: number
  /** Number of readers that resumed from a cursor. */
  readonly resumed: number
  /** Number of gaps that were sent to readers that fell behind or resumed too late. */
  readonly gaps: number
}

/** Feeds of the changes in projects. */
export class ProjectFeeds extends Follower<FeedStream, ProjectLog> {
  protected readonly failure = UNREAD
  private readonly shared: OfAllProjects
  /** One object for each combination of kinds, so that readers with the same combination share their pages. */
  private readonly choices = new Map<string, FeedKinds>()
  /** Cancels the next check. Set while the feeds have readers. */
  private cancelLook: (() => void) | undefined
  private resumed = 0
  private gaps = 0

  constructor(
    ctx: Service,
    room: StreamRoom,
    feedBytes: number,
    private readonly keys: LiveKeys,
  ) {
    super(ctx, room)
    const recent = new RecentPages<Batch>(feedBytes, feedBytes / PROJECTS_PART)
    const [turns, lanes] = [new Turns(READ_AT_ONCE), new KeyedQueue()]
    this.shared = { ctx, recent, waiting: room.waiting, turns, lanes, gapTold: () => this.gaps++ }
  }

  /** Opens a feed; see `Matchyard.feed`. */
  async open(projectId: string, options: FeedOptions = {}): Promise<Feed> {
    refuseUnknown(options, Object.keys(OPTIONS))
    const kinds = this.kindsOf(options)
    const { keyId, accountId, turn } = options
    return this.room.open({ projectId, keyId, accountId, isBackend: true }, turn, (place) =>
      this.openIn(place, projectId, kinds, options),
    )
  }

  get figures(): FeedFigures {
    const { resumed, gaps } = this
    let readers = 0
    for (const { streams } of this.all()) readers += streams.size
    return { readers, resumed, gaps }
  }

  /** Ends the feeds of deleted projects. Throws the errors of the storage. */
  async endDeleted(projectIds: readonly string[]): Promise<void> {
    const watched = projectIds.filter((id) => this.get(id) !== undefined)
    for (const some of inParts(watched, ROWS_AT_ONCE)) {
      const found = new Map((await this.ctx.storage.getMany('project', some)).map((project) => [project.id, project]))
      for (const id of some) if (found.get(id)?.deletedAt !== null) this.get(id)?.closeAll()
    }
  }

  /** Starts a read of each project. The calls are not awaited, because only a few reads run at the same time. */
  override async readAll(): Promise<void> {
    for (const projectId of this.ids) void this.read(projectId)
  }

  protected override begins(): void {
    this.cancelLook ??= this.lookLater()
  }

  protected override ends(project: ProjectLog): void {
    project.stop()
    if (this.ids.length > 0) return
    this.cancelLook?.()
    this.cancelLook = undefined
  }

  private async openIn(place: StreamPlace, projectId: string, kinds: FeedKinds, options: FeedOptions): Promise<Feed> {
    const { keyId, cursor, until } = options
    const { id } = await requireProject(this.ctx, projectId)
    const log = this.get(id) ?? new ProjectLog(this.shared, id)
    const stream = new FeedStream(keyId, kinds, log)
    this.add(stream, log, place)
    if (cursor !== undefined && cursor !== '') this.resumed++
    stream.closeAt(until, this.ctx)
    await log.begin(stream, cursor === '' ? undefined : cursor)
    // The project may have been deleted before the feed received signals.
    await this.endDeleted([id])
    return new Feed(stream)
  }

  private lookLater(): () => void {
    return this.ctx.timers.after(LOOK_EVERY_MS, () => {
      void this.readAll()
      // A failure needs no handling, because the next check ends the feeds of deleted projects too.
      void this.endDeleted(this.ids)
        .then(() => this.keys.look())
        .catch(() => {})
      this.cancelLook = this.lookLater()
    })
  }

  private kindsOf({ kinds = CHANGE_KINDS }: FeedOptions): FeedKinds {
    const message = `must name one or more of ${CHANGE_KINDS.join(', ')}`
    const areKnown = Array.isArray(kinds) && kinds.length > 0 && kinds.every((kind) => CHANGE_KINDS.includes(kind))
    if (!areKnown) throw validationFailed([{ path: 'kinds', message }])
    const chosen = CHANGE_KINDS.filter((kind) => kinds.includes(kind))
    const known = this.choices.get(chosen.join()) ?? new Set(chosen)
    this.choices.set(chosen.join(), known)
    return known
  }
}
