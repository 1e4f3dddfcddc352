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

/** Readings of changes under way at once on a node, so that commits find a connection. */
const READ_AT_ONCE = 4
/** Divisor for the share of one project in the kept pages: a busy project leaves room for others. */
const PROJECTS_PART = 4
/** How often all feeds are looked at although no signal came: it may have been lost, and a cursor must not grow old. */
const LOOK_EVERY_MS = 15 * SECOND_MS
/** Rows asked for in one call. */
const ROWS_AT_ONCE = 1_000

export interface FeedOptions {
  /** Only these; all unless said. */
  readonly kinds?: readonly ChangeKind[] | undefined
  /** Cursor at which an earlier feed of this project ended: later changes of the last hour are sent. An invalid cursor is a gap. */
  readonly cursor?: string | undefined
  /** The key that reads; the feed ends when it is revoked. */
  readonly keyId?: string | undefined
  /** The account that owns the key: all of its projects leave places to others. */
  readonly accountId?: string | undefined
  /** When the right to read runs out: the feed ends then. */
  readonly until?: Instant | undefined
  /** Waited for once the feed has its place, before anything is read for it. */
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

/** Figures of a node's feeds: the present readers, and counters since the start. */
export interface FeedFigures {
  /** Readers now. */
  readonly readers: number
  /** Readers who came back with a cursor. */
  readonly resumed: number
  /** Gaps of which a reader was told: it fell behind, or came back too late. */
  readonly gaps: number
}

/** Tells what changes in projects. */
export class ProjectFeeds extends Follower<FeedStream, ProjectLog> {
  protected readonly failure = UNREAD
  private readonly shared: OfAllProjects
  /** One object for each choice of kinds, so that all who made it share what they are given. */
  private readonly choices = new Map<string, FeedKinds>()
  /** While anybody reads. */
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

  /** See `Matchyard.feed`. */
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

  /** Ends the feeds of projects that are gone. Throws what the storage throws. */
  async endDeleted(projectIds: readonly string[]): Promise<void> {
    const watched = projectIds.filter((id) => this.get(id) !== undefined)
    for (const some of inParts(watched, ROWS_AT_ONCE)) {
      const found = new Map((await this.ctx.storage.getMany('project', some)).map((project) => [project.id, project]))
      for (const id of some) if (found.get(id)?.deletedAt !== null) this.get(id)?.closeAll()
    }
  }

  /** Each waits for its turn to read by itself. */
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
    // The project may have been deleted before the feed listened.
    await this.endDeleted([id])
    return new Feed(stream)
  }

  private lookLater(): () => void {
    return this.ctx.timers.after(LOOK_EVERY_MS, () => {
      void this.readAll()
      // A failed check is repeated the next time.
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
