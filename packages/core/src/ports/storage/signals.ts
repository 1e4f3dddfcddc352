import { SECOND_MS } from '../../shared/time'
import { isChangeKind } from './changes'
import type { Commit, Write } from './commit'
import type { EntityKind } from './entities'

/**
 * Topic of a signal.
 * - `lobby`: the stream of a lobby.
 * - `tickets`: the tickets of a queue.
 * - `queue`, `api-key`, `member`, `server`, `project`, `account`: the entity itself.
 * - `match`: a match whose game server the service runs.
 * - `jobs`: the jobs of a kind.
 * - `changes`: anything in a project that `changes.since` returns.
 * - `resync`: signals may have been lost; the listener reads again.
 * - `reset`: the store was replaced or restored to an earlier state, so earlier reads may be invalid; the listener discards them and reads
 *   everything again.
 */
export type SignalTopic =
  | 'lobby'
  | 'tickets'
  | 'queue'
  | 'jobs'
  | 'api-key'
  | 'member'
  | 'server'
  | 'match'
  | 'project'
  | 'account'
  | 'changes'
  | 'resync'
  | 'reset'

export interface Signal {
  readonly topic: SignalTopic
  /** Id of the lobby, API key, member, server, match, project or account; the queue key; the kind of the jobs; empty for `resync` and `reset`. */
  readonly id: string
}

export type SignalListener = (signal: Signal) => void

/**
 * Maximum milliseconds between a commit and the due time of its jobs for which a signal is sent. A later job causes no signal. Workers look
 * for due jobs at least twice as often.
 */
export const JOBS_TOLD_WITHIN_MS = 2 * SECOND_MS

/** Returns the signals that an adapter sends after it has applied a commit. */
export function signalsOf(commit: Commit): Signal[] {
  const signals = new Map<string, Signal>()
  const add = (topic: SignalTopic, id: string) => signals.set(`${topic}:${id}`, { topic, id })
  for (const event of commit.events) {
    add('lobby', event.lobbyId)
    add('changes', event.lobby.projectId)
  }
  for (const write of commit.writes) {
    const projectId = projectOf(write)
    if (projectId !== undefined) add('changes', projectId)
    if (write.kind === 'ticket') {
      // A removed ticket causes no signal: the director reads the tickets again before it commits.
      if ('put' in write) add('tickets', write.put.queueKey)
    } else if (write.kind === 'match') {
      // Only the game server of the match listens to this topic, and the game server of a new match does not listen yet.
      if ('put' in write && write.put.serverId !== null && write.expected !== 'absent') add('match', write.id)
    } else if (isToldByItself(write.kind)) add(write.kind, write.id)
  }
  for (const { kind, runAt } of commit.jobs) if (runAt - commit.at <= JOBS_TOLD_WITHIN_MS) add('jobs', kind)
  return [...signals.values()]
}

/** Returns the project in whose changes a write appears; undefined for kinds of entities whose changes are not logged. */
function projectOf(write: Write): string | undefined {
  if (!isChangeKind(write.kind)) return undefined
  if (!('put' in write)) return write.projectId
  return 'projectId' in write.put ? (write.put.projectId ?? undefined) : undefined
}

const TOLD_BY_THEMSELVES = ['queue', 'api-key', 'member', 'server', 'project', 'account'] as const
type ToldByItself = (typeof TOLD_BY_THEMSELVES)[number]
const isToldByItself = (kind: EntityKind): kind is ToldByItself =>
  (TOLD_BY_THEMSELVES as readonly EntityKind[]).includes(kind)
