import { describe, expect, it } from 'vitest'
import {
  type CommandKind,
  describeFailure,
  type FaultKind,
  type SimulationOptions,
  simulate,
} from '../../src/simulation/index'

/**
 * Number of runs per kind of world, where it is set; `npm run prove -- simulation` sets it, so that an ordinary test run does a small part.
 */
const asked = process.env.MATCHYARD_SIMULATIONS
/** The first seed; another number gives other runs. */
const firstSeed = Number(process.env.MATCHYARD_SEED ?? 1)
const CHUNK = 30

/** Commands to draw often, for many seats that are kept for friends. */
export const LATE_JOINS: readonly CommandKind[] = [
  ...(['seek-late', 'keep-seat', 'keep-seat', 'join-match', 'free-seat'] as const),
  ...(['wait', 'run-queue', 'run-jobs'] as const),
]

/** Commands to draw often, for players who leave matches and search again. */
export const MEETINGS: readonly CommandKind[] = [
  ...(['seek-late', 'seek-late', 'seek-late', 'leave-match', 'leave-match', 'run-queue', 'run-jobs'] as const),
]

/** Commands to draw often, for many results of matches, right, repeated, different, and amended. */
export const RESULTS: readonly CommandKind[] = [
  ...(['seek-late', 'seek-late', 'seek-pair', 'result', 'result', 'amend-result', 'process-result'] as const),
  ...(['wait', 'run-queue', 'run-jobs', 'run-jobs', 'reconcile', 'process-ready'] as const),
]

/** Commands to draw often in a world with a rating: results, seasons, changes and reads of the rating. */
export const RATINGS: readonly CommandKind[] = [
  ...(['seek-rated', 'seek-rated', 'seek-rated', 'seek-late', 'seek-guest', 'start-rated', 'start-rated'] as const),
  ...(['start-rated', 'rated-result', 'rated-result', 'rated-result', 'rated-result', 'rated-result'] as const),
  ...(['result-again', 'amend-rated', 'amend-rated', 'amend-rated', 'leave-match', 'keep-seat', 'join-match'] as const),
  ...(['rating-change', 'rating-queue', 'rating-delete', 'season', 'leaderboard', 'standings', 'calibration'] as const),
  ...(['erase-player', 'erase-player', 'run-jobs', 'run-jobs'] as const),
]

/** Faults at which a commit of a result may be applied without an answer, or not be applied, or lose a race. */
export const COMMIT_FAULTS: readonly FaultKind[] = [
  ...(['crash-before-commit', 'crash-after-commit', 'crash-after-commit', 'crash-anywhere', 'stands-still'] as const),
  ...(['outcome-unknown-applied', 'outcome-unknown-applied', 'outcome-unknown-refused', 'conflict'] as const),
  ...(['storage-unavailable', 'storage-slow', 'storage-silent'] as const),
]

/** Commands to draw often, for many restarts of servers. */
export const RESTARTS: readonly CommandKind[] = [
  ...(['server-create', 'server-restart', 'server-restart', 'process-crash', 'process-ready'] as const),
  ...(['wait', 'wait', 'run-jobs', 'reconcile'] as const),
]

/** Commands to draw often, for players who search in several queues on two devices. */
export const SEARCHES: readonly CommandKind[] = [
  ...(['seek-many', 'seek-many', 'seek-many', 'leave-match', 'self', 'accept', 'accept', 'end'] as const),
  ...(['wait', 'run-queue', 'run-queue', 'run-jobs', 'run-jobs'] as const),
]

export interface KindOfWorld extends Omit<SimulationOptions, 'seed'> {
  readonly name: string
}

/** Tests that every invariant holds in these worlds, in `usual` runs of each, or in the number of runs that is set. */
export function keepInvariants(worlds: readonly KindOfWorld[], usual: number): void {
  const runs = asked === undefined ? usual : Number(asked)
  describe.each(worlds)('$name', ({ name: _, ...world }) => {
    const chunks = Array.from({ length: Math.ceil(runs / CHUNK) }, (_, chunk) => firstSeed + chunk * CHUNK)

    it.each(chunks)(
      'keeps every invariant in the runs of seed %i and the next ones',
      { timeout: 600_000 },
      async (from) => {
        for (let seed = from; seed < Math.min(from + CHUNK, firstSeed + runs); seed++) {
          const { failure } = await simulate({ seed, ...world })
          if (failure !== undefined) expect.fail(describeFailure(failure))
        }
      },
    )
  })
}
