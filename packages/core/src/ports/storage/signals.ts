import type { Commit } from './commit'

/**
 * What changed: a lobby's stream, a queue's tickets, a queue itself, the jobs of a kind, an API key, a server, a match that is
 * played on one of ours. `resync`: signals may have been
 * lost, read again. `reset`: the store is another or has gone back, so what was read of it may never have been: show it anew.
 */
export type SignalTopic = 'lobby' | 'tickets' | 'queue' | 'jobs' | 'api-key' | 'server' | 'match' | 'resync' | 'reset'

export interface Signal {
  readonly topic: SignalTopic
  /** The lobby, queue key, key, server or match, the kind of the jobs; empty for `resync` and `reset`. */
  readonly id: string
}

export type SignalListener = (signal: Signal) => void

/** The signals that an adapter sends once a commit is applied. */
export function signalsOf(commit: Commit): Signal[] {
  const signals = new Map<string, Signal>()
  const add = (topic: SignalTopic, id: string) => signals.set(`${topic}:${id}`, { topic, id })
  for (const event of commit.events) add('lobby', event.lobbyId)
  for (const write of commit.writes) {
    if (write.kind === 'ticket') {
      // A removed ticket needs no tick of its own: the director re-reads before it commits.
      if ('put' in write) add('tickets', write.put.queueKey)
    } else if (write.kind === 'match') {
      // Its server alone listens; a new one has none that does.
      if ('put' in write && write.put.serverId !== null && write.expected !== 'absent') add('match', write.id)
    } else if (write.kind === 'queue' || write.kind === 'api-key' || write.kind === 'server') add(write.kind, write.id)
  }
  for (const { kind } of commit.jobs) add('jobs', kind)
  return [...signals.values()]
}
