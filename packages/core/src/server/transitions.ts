import type { Transition } from '../shared/transitions'
import type { ServerStatus } from './game-server'

/** Allowed changes of a server's status (docs/http-api.md §8). */
export const SERVER_TRANSITIONS = [
  { from: null, trigger: 'create', to: 'launching', source: 'docs/http-api.md §8' },
  {
    from: 'launching',
    trigger: 'ready',
    to: 'running',
    source: 'docs/http-api.md §8: its ports are there (`readiness`), or `ready` called',
  },
  {
    from: 'launching',
    trigger: 'fail',
    to: 'failed',
    source: 'docs/http-api.md §8: not running within the launch timeout, or 3 attempts failed',
  },
  { from: 'launching', trigger: 'stop', to: 'stopping', source: 'docs/http-api.md §8: DELETE, or its match is gone' },
  {
    from: 'running',
    trigger: 'stop',
    to: 'stopping',
    source: 'docs/http-api.md §8: DELETE, ttl, match ended, shutdown',
  },
  { from: 'running', trigger: 'exit', to: 'stopped', source: 'docs/http-api.md §8: exit code 0' },
  {
    from: 'running',
    trigger: 'fail',
    to: 'failed',
    source: 'docs/http-api.md §8: another exit, or a restart that did not come up, without auto_restart or too often',
  },
  { from: 'stopping', trigger: 'exit', to: 'stopped', source: 'docs/http-api.md §8' },
] as const satisfies readonly Transition<ServerStatus>[]

export type ServerTrigger = (typeof SERVER_TRANSITIONS)[number]['trigger']
