import { DAY_MS, HOUR_MS, MINUTE_MS } from '../shared/time'

/** Steps of the history by their names, in milliseconds: the length of the slots (spans of time) that one row sums. */
export const HISTORY_STEPS = { '1m': MINUTE_MS, '5m': 5 * MINUTE_MS, '1h': HOUR_MS, '1d': DAY_MS } as const
/** Name of a step of the history. */
export type HistoryStep = keyof typeof HISTORY_STEPS

/**
 * Series of the history. `searching`: players who search, sampled once a minute. `waits`: parties that were matched, by their waiting time.
 * `matches`: matches that matchmaking made. `exits`: lobbies that returned to `waiting`, by reason. `crashes`: crashes of game servers, by
 * build version. `ends`: game servers that ended, by build version and cause. `cost`: metered seconds and micro-USD of game servers, by
 * tier. `servers`: running game servers, sampled once a minute, by build version. `spread`: differences between the highest and the lowest
 * value of a field in a match, for each numeric field of the queue's rules. `streams`: open event streams and waiting calls, sampled once a
 * minute, of clients and of the backend. `refusals`: refused calls, by error code.
 */
export const HISTORY_SERIES = [
  'searching',
  'waits',
  'matches',
  'exits',
  'crashes',
  'ends',
  'cost',
  'servers',
  'spread',
  'streams',
  'refusals',
] as const
/** Name of a series of the history. */
export type HistorySeries = (typeof HISTORY_SERIES)[number]
