import type { Transition } from '../shared/transitions'
import type { MatchStatus } from './match'

/** Transitions of the status of a match (docs/http-api.md §6). */
export const MATCH_TRANSITIONS = [
  { from: null, trigger: 'find', to: 'launching', source: 'docs/http-api.md §6: matched, or started directly' },
  {
    from: null,
    trigger: 'propose',
    to: 'proposed',
    source: 'docs/http-api.md §6: found, and its queue asks the players',
  },
  {
    from: 'proposed',
    trigger: 'accept',
    to: 'launching',
    source: 'docs/http-api.md §6: all its players have accepted',
  },
  {
    from: 'proposed',
    trigger: 'fall_through',
    to: 'ended',
    source: 'docs/http-api.md §6: somebody declined or left, did not answer in time, or it became impossible',
  },
  {
    from: 'launching',
    trigger: 'begin',
    to: 'running',
    source: 'docs/http-api.md §6: its server runs, or it needs none',
  },
  {
    from: 'launching',
    trigger: 'end',
    to: 'ended',
    source: 'docs/http-api.md §6: the launch failed, its server was stopped, or all its lobbies have ended',
  },
  {
    from: 'running',
    trigger: 'end',
    to: 'ended',
    source: 'docs/http-api.md §6: ended by request, its server ended, or all its lobbies have ended',
  },
] as const satisfies readonly Transition<MatchStatus>[]

export type MatchTrigger = (typeof MATCH_TRANSITIONS)[number]['trigger']
