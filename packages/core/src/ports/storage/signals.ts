import { SECOND_MS } from '../../shared/time'
import { isChangeKind } from './changes'
import type { Commit, Write } from './commit'
import type { EntityKind } from './entities'

/**
 * Topic of a signal: a lobby's stream, a queue's tickets, a queue itself, the jobs of a kind, an API key, a server, a match that is played on
 * one of ours, a project itself, an account itself, anything that `changes.since` tells of a project. `resync`: signals may have been lost,
 * read again. `reset`: the store is another or has gone back, so earlier reads may be invalid: read and show everything again.
 */
export type SignalTopic =
  | 'lobby'
  | 'tickets'
  | 'queue'
  | 'jobs'
  | 'api-key'
  | 'server'
  | 'match'
  | 'project'
  | 'account'
  | 'changes'
  | 'resync'
  | 'reset'

export interface Signal {
  readonly topic: SignalTopic
  /** The lobby, queue key, key, server, match, project or account, the kind of the jobs; empty for `resync` and `reset`. */
  readonly id: string
}

export type SignalListener = (signal: Signal) => void

/** Milliseconds. Jobs due later than this after their commit are told by no signal: workers look at least twice as often for what is due. */
export const JOBS_TOLD_WITHIN_MS = 2 * SECOND_MS

/** The signals that an adapter sends once a commit is applied. */
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
      // A removed ticket needs no tick of its own: the director re-reads before it commits.
      if ('put' in write) add('tickets', write.put.queueKey)
    } else if (write.kind === 'match') {
      // Only the match's server listens; a new match has no listening server.
      if ('put' in write && write.put.serverId !== null && write.expected !== 'absent') add('match', write.id)
    } else if (isToldByItself(write.kind)) add(write.kind, write.id)
  }
  for (const { kind, runAt } of commit.jobs) if (runAt - commit.at <= JOBS_TOLD_WITHIN_MS) add('jobs', kind)
  return [...signals.values()]
}

/** The project whose readers of changes are told of a write. */
function projectOf(write: Write): string | undefined {
  if (!isChangeKind(write.kind)) return undefined
  if (!('put' in write)) return write.projectId
  return 'projectId' in write.put ? write.put.projectId : undefined
}

const TOLD_BY_THEMSELVES = ['queue', 'api-key', 'server', 'project', 'account'] as const
type ToldByItself = (typeof TOLD_BY_THEMSELVES)[number]
const isToldByItself = (kind: EntityKind): kind is ToldByItself =>
  (TOLD_BY_THEMSELVES as readonly EntityKind[]).includes(kind)
