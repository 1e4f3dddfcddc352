import { unavailableInsteadOf } from '../../commit/transact'
import type { Context } from '../../context/context'
import { requireProject } from '../../context/require'
import { refuseUnknown, validationFailed } from '../../errors/service-error'
import { CHANGE_KINDS, type ChangeKind, type Signal } from '../../ports/storage/index'
import type { Project } from '../../project/project'
import type { NamesOf } from '../../shared/known-names'
import { type Instant, SECOND_MS } from '../../shared/time'
import { endAt } from '../end-at'
import type { Place } from '../places'
import type { StreamRoom } from '../server/server-feeds'
import type { StreamLimits } from '../stream-limits'
import { Turns } from '../turns'
import { Feed } from './feed'
import type { FeedKinds } from './feed-change'
import { FeedStream } from './feed-stream'
import { ProjectFeed } from './project-feed'
import { RecentBytes } from './recent-batches'

/** Readings of changes under way at once on a node, so that commits find a connection. */
const READ_AT_ONCE = 4
/** How often all feeds are looked at although no signal came: it may have been lost, and a cursor must not grow old. */
const LOOK_EVERY_MS = 15 * SECOND_MS
/** Rows asked for in one call. */
const ROWS_AT_ONCE = 1_000

export interface FeedOptions {
  /** Only these; all unless said. */
  readonly kinds?: readonly ChangeKind[] | undefined
  /** Where another feed of this project ended: what changed since is told, for an hour. One that does not hold any more is a gap. */
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

/** How the feeds of a node do: who reads now, and what happened since it began. */
export interface FeedFigures {
  /** Readers now. */
  readonly readers: number
  /** Readers who came back with a cursor. */
  readonly resumed: number
  /** Gaps of which a reader was told: it fell behind, or came back too late. */
  readonly gaps: number
}

/** Tells what changes in projects, each read once per node however many read. Signals only say that there is something to read. */
export class ProjectFeeds {
  private readonly feeds = new Map<string, ProjectFeed>()
  private readonly turns = new Turns(READ_AT_ONCE)
  private readonly kept: RecentBytes
  /** While anybody reads. */
  private stopListening: (() => void) | undefined
  private closed = false
  private resumed = 0
  private gaps = 0

  constructor(
    private readonly ctx: Context,
    private readonly room: StreamRoom,
    limits: StreamLimits,
  ) {
    this.kept = new RecentBytes(limits.feedBytes)
  }

  /** See `Matchyard.feed`. */
  open(projectId: string, options: FeedOptions = {}): Promise<Feed> {
    const { ctx, room } = this
    return unavailableInsteadOf(async () => {
      refuseUnknown(options, Object.keys(OPTIONS))
      const kinds = kindsOf(options)
      const place = room.places.take({ projectId, keyId: options.keyId, accountId: options.accountId, isBackend: true })
      try {
        await options.turn?.()
        return await this.openIn(place, await requireProject(ctx, projectId), kinds, options)
      } catch (error) {
        place.end()
        place.release()
        throw error
      }
    })
  }

  private async openIn(place: Place, project: Project, kinds: FeedKinds, options: FeedOptions): Promise<Feed> {
    const { ctx, room } = this
    const { clock, timers } = ctx
    const { keyId, cursor, until } = options
    const feed = this.feedOf(project)
    const stream = new FeedStream({ projectId: project.id, keyId }, kinds, feed, {
      ...{ clock, timers, waiting: room.waiting },
      onGap: () => this.gaps++,
    })
    this.add(stream, feed)
    place.fill(stream)
    if (cursor !== undefined && cursor !== '') this.resumed++
    endAt(ctx, stream, until)
    await feed.begin(stream, cursor === '' ? undefined : cursor)
    // It may have been deleted before anybody listened.
    await this.endDeleted([project.id])
    return new Feed(stream)
  }

  get figures(): FeedFigures {
    const { resumed, gaps } = this
    let readers = 0
    for (const { streams } of this.feeds.values()) readers += streams.size
    return { readers, resumed, gaps }
  }

  /** Ends every stream, for a shutdown. */
  close(): void {
    this.closed = true
    for (const feed of [...this.feeds.values()]) feed.end()
    this.stopListening?.()
    this.stopListening = undefined
  }

  private feedOf(project: Project): ProjectFeed {
    const known = this.feeds.get(project.id)
    if (known !== undefined) return known
    const feed = new ProjectFeed(this.ctx, project, this.kept, this.turns)
    this.feeds.set(project.id, feed)
    this.stopListening ??= this.listen()
    return feed
  }

  private add(stream: FeedStream, feed: ProjectFeed): void {
    feed.streams.add(stream)
    stream.onEnd(() => {
      feed.streams.delete(stream)
      if (feed.streams.size > 0) return
      feed.end()
      if (this.feeds.get(feed.project.id) === feed) this.feeds.delete(feed.project.id)
      if (this.feeds.size > 0) return
      this.stopListening?.()
      this.stopListening = undefined
    })
    if (this.closed) stream.close()
  }

  private listen(): () => void {
    const unsubscribe = this.ctx.storage.subscribe((signal) => this.onSignal(signal))
    let cancel = () => {}
    const lookLater = () => {
      cancel = this.ctx.timers.after(LOOK_EVERY_MS, () => {
        this.lookAtAll()
        lookLater()
      })
    }
    lookLater()
    return () => {
      unsubscribe()
      cancel()
    }
  }

  private onSignal({ topic, id }: Signal): void {
    if (topic === 'changes') this.feeds.get(id)?.wake()
    else if (topic === 'project') void this.endDeleted([id]).catch(() => {})
    else if (topic === 'resync' || topic === 'reset') for (const feed of this.feeds.values()) feed.wake()
  }

  private lookAtAll(): void {
    for (const feed of this.feeds.values()) feed.wake()
    // What could not be asked for is asked for the next time.
    void this.endDeleted([...this.feeds.keys()])
      .then(() => this.endDisabled())
      .catch(() => {})
  }

  private async endDeleted(projectIds: readonly string[]): Promise<void> {
    const watched = projectIds.filter((id) => this.feeds.has(id))
    const projects = await this.manyOf('project', watched)
    for (const id of watched) if (projects.get(id)?.deletedAt !== null) this.feeds.get(id)?.end()
  }

  /** The keys of an account that is disabled hold no longer. */
  private async endDisabled(): Promise<void> {
    const feeds = [...this.feeds.values()]
    const accounts = await this.manyOf('account', [...new Set(feeds.map(({ project }) => project.accountId))])
    for (const { project, streams } of feeds) {
      if ((accounts.get(project.accountId)?.disabledAt ?? null) === null) continue
      for (const stream of [...streams]) if (stream.keyId !== undefined) stream.close()
    }
  }

  private async manyOf<K extends 'project' | 'account'>(kind: K, ids: readonly string[]) {
    const found = new Map<string, Awaited<ReturnType<typeof this.ctx.storage.getMany<K>>>[number]>()
    for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
      const rows = await this.ctx.storage.getMany(kind, ids.slice(from, from + ROWS_AT_ONCE))
      for (const row of rows) found.set(row.id, row)
    }
    return found
  }
}

function kindsOf({ kinds }: FeedOptions): ReadonlySet<ChangeKind> {
  if (kinds === undefined) return new Set(CHANGE_KINDS)
  const message = `must name one or more of ${CHANGE_KINDS.join(', ')}`
  const areKnown = Array.isArray(kinds) && kinds.length > 0 && kinds.every((kind) => CHANGE_KINDS.includes(kind))
  if (!areKnown) throw validationFailed([{ path: 'kinds', message }])
  return new Set(kinds)
}
