import type { Transition } from '../shared/transitions'
import type { LobbyStatus } from './lobby'

/**
 * Transitions of the lobby status (specification, "Lobby status"). The transitions that the specification leaves open are from
 * docs/http-api.md §6. `source` says where a transition is from.
 */
export const LOBBY_TRANSITIONS = [
  { from: null, trigger: 'create', to: 'waiting', source: 'spec: create lobby' },
  { from: 'waiting', trigger: 'enqueue', to: 'in_queue', source: 'spec: host submits lobby to matchmaking' },
  { from: 'in_queue', trigger: 'match', to: 'matched', source: 'spec: match found' },
  { from: 'matched', trigger: 'begin', to: 'in_game', source: 'spec: match begins' },
  { from: 'in_game', trigger: 'end', to: 'waiting', source: 'spec: match ends' },
  {
    from: 'in_queue',
    trigger: 'leave_queue',
    to: 'waiting',
    source: 'spec: timeout, cancel or no opponents; docs/http-api.md §6: a player left, declined or did not answer',
  },
  {
    from: 'in_queue',
    trigger: 'propose',
    to: 'in_queue',
    source: 'docs/http-api.md §6: a proposed match holds it, its ticket is gone',
  },
  {
    from: 'in_queue',
    trigger: 'rejoin',
    to: 'in_queue',
    source: 'docs/http-api.md §6: the proposed match was not made, it searches on with its age',
  },
  { from: 'waiting', trigger: 'start', to: 'starting', source: 'spec: host starts directly' },
  { from: 'starting', trigger: 'begin', to: 'in_game', source: 'spec: server running' },
  { from: 'starting', trigger: 'launch_failed', to: 'waiting', source: 'spec: server creation fails' },
  {
    from: 'matched',
    trigger: 'launch_failed',
    to: 'waiting',
    source: 'docs/http-api.md §6: matched whose server fails',
  },
  {
    from: 'waiting',
    trigger: 'delete',
    to: null,
    source: 'docs/http-api.md §6: deleted, emptied, idle, or its host left',
  },
  { from: 'in_queue', trigger: 'delete', to: null, source: 'docs/http-api.md §6' },
  { from: 'matched', trigger: 'delete', to: null, source: 'docs/http-api.md §6' },
  { from: 'starting', trigger: 'delete', to: null, source: 'docs/http-api.md §6' },
  { from: 'in_game', trigger: 'delete', to: null, source: 'docs/http-api.md §6' },
] as const satisfies readonly Transition<LobbyStatus>[]

export type LobbyTrigger = (typeof LOBBY_TRANSITIONS)[number]['trigger']
