import type { Build } from '../../build/build'
import { asSeenBy } from '../../lobby/as-seen'
import type { Lobby } from '../../lobby/lobby'
import type { Match } from '../../match/match'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import type { Change, ChangeKind } from '../../ports/storage/index'
import type { Queue } from '../../queue/queue'
import { type QueueAnswer, withWarnings } from '../../reads/queue-warnings'
import { type MatchOnServer, withServers } from '../../reads/with-servers'
import type { GameServer } from '../../server/game-server'

/** Data of each kind of entity, as its `get` call returns them to the project's own backend. */
export interface FeedData {
  /** A build without its logs. */
  readonly build: Build
  /** A lobby. */
  readonly lobby: Lobby
  /** A match with its server. */
  readonly match: MatchOnServer
  /** A queue with its warnings. */
  readonly queue: QueueAnswer
  /** A game server. */
  readonly server: GameServer
}

/**
 * Current state of an entity of a project, or its deletion. A match or a queue may be sent again with an unchanged version: a match when
 * its server has changed, a queue when a build has changed.
 */
export type FeedChange = {
  [K in ChangeKind]: {
    /** Kind of the entity that changed. */
    readonly kind: K
    /** Id that the `get` call of the entity takes. For a queue: its own id, without the project. */
    readonly id: string
  } & (
    | {
        /** The entity was created or changed. */
        readonly change: 'updated'
        /** Version of the entity. */
        readonly version: number
        /** The entity as its `get` call returns it. */
        readonly data: FeedData[K]
      }
    | {
        /** The entity was deleted. */
        readonly change: 'deleted'
        /** Version after the entity's last version. */
        readonly version: number
        /** Null, because the entity does not exist any more. */
        readonly data: null
      }
  )
}[ChangeKind]

/** Kinds of entities that a reader requested. */
export type FeedKinds = ReadonlySet<ChangeKind>

/** Maximum number of queues that are read in one page after a change of a build. */
const QUEUES_AT_ONCE = 100

/**
 * Returns the messages of a page of changes, for readers of these kinds. Each entity has the form that its `get` call returns. Other
 * entities that show a part of a changed entity are sent too. The current rows are read, which may be newer than the page. The next page
 * has the later changes.
 */
export async function feedChanges(
  ctx: Service,
  projectId: string,
  changes: readonly Change[],
  kinds: FeedKinds,
): Promise<FeedChange[]> {
  const matches = new Map<string, Match>()
  const queues = new Map<string, Queue>()
  const told: FeedChange[] = []
  for (const one of changes) {
    if (!kinds.has(one.kind)) continue
    if (one.value === undefined) told.push(gone(projectId, one))
    else if (one.kind === 'match') matches.set(one.id, one.value)
    else if (one.kind === 'queue') queues.set(one.id, one.value)
    else {
      const data = one.kind === 'lobby' ? asSeenBy(one.value, { backend: true }) : one.value
      told.push({ kind: one.kind, id: one.id, version: one.version, change: 'updated', data } as FeedChange)
    }
  }
  if (kinds.has('match')) await addMatchesOfServers(ctx, changes, matches)
  if (kinds.has('queue')) await addQueuesOfBuilds(ctx, projectId, changes, queues)
  const [shownMatches, shownQueues] = await Promise.all([
    withServers(ctx, [...matches.values()]),
    Promise.all([...queues.values()].map((queue) => withWarnings(ctx, queue))),
  ])
  return [
    ...told,
    ...shownMatches.map((data) => ({ kind: 'match', ...updated(data.match), data }) as const),
    ...shownQueues.map((data) => ({ kind: 'queue', ...updated(data), id: data.queueId, data }) as const),
  ]
}

const updated = ({ id, version }: { readonly id: string; readonly version: number }) =>
  ({ id, version, change: 'updated' }) as const

const gone = (projectId: string, { kind, id, version }: Change): FeedChange => ({
  kind,
  // The key of a queue is the id of its project, a slash and its own id.
  id: kind === 'queue' ? id.slice(projectId.length + 1) : id,
  version,
  change: 'deleted',
  data: null,
})

/** Adds the matches of changed servers, because a match shows the state of its server. */
async function addMatchesOfServers(ctx: Ports, changes: readonly Change[], matches: Map<string, Match>) {
  const missing = new Set<string>()
  for (const { kind, value } of changes) {
    if (kind === 'server' && value?.matchId != null && !matches.has(value.matchId)) missing.add(value.matchId)
  }
  if (missing.size === 0) return
  for (const match of await ctx.storage.getMany('match', [...missing])) matches.set(match.id, match)
}

/** Adds all queues of the project when a build changed, because a queue shows whether its build exists. */
async function addQueuesOfBuilds(
  ctx: Ports,
  projectId: string,
  changes: readonly Change[],
  queues: Map<string, Queue>,
) {
  if (!changes.some(({ kind }) => kind === 'build')) return
  for (let offset = 0, more = true; more; offset += QUEUES_AT_ONCE) {
    const page = await ctx.storage.queues.list(projectId, { limit: QUEUES_AT_ONCE, offset })
    for (const queue of page.data) if (!queues.has(queue.id)) queues.set(queue.id, queue)
    more = offset + QUEUES_AT_ONCE < page.total
  }
}
