import { checkFreeForm } from '../../catalog/free-form'
import type { CallOptions } from '../../commit/call-options'
import { seatingOf } from '../../commit/consequences/open-seats'
import { type OnMatch, ofMatch } from '../../commit/of-match'
import { change, unavailableInsteadOf } from '../../commit/transact'
import { orThrow, refuseUnknown, ServiceError, validationFailed } from '../../errors/service-error'
import {
  type BackfillWish,
  decideCancelBackfill as decideCancel,
  decideRequestBackfill as decideRequest,
  mayTakeNewcomers,
  noRequest,
  timeoutFaults,
} from '../../match/backfill'
import type { Match, OpenSeats } from '../../match/match'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import type { InProject } from '../../project/in-project'
import { mayAskForPlayers } from '../../queue/decide'
import { requireMatch, requireQueue } from '../../reads/require'
import type { Instant } from '../../shared/time'

export interface BackfillInput extends InProject, BackfillWish {
  /** Id of the match: `mat_` and a ULID. */
  readonly matchId: string
}

/** Request of a running match for new players. */
export interface Backfill {
  /** Id of the match. */
  readonly matchId: string
  /** Always `searching`; the request ends when its seats are filled. */
  readonly status: 'searching'
  /** Seats for which the request still searches for players. */
  readonly teams: readonly OpenSeats[]
  /** Time at which the match first requested players. Replacing or renewing the request does not change it. */
  readonly createdAt: Instant
  /** Time at which the request expires. */
  readonly expiresAt: Instant
}

const FIELDS: { readonly [Name in keyof Required<BackfillInput>]: true } = {
  projectId: true,
  matchId: true,
  teams: true,
  players: true,
  timeoutSeconds: true,
}

export async function requestBackfill(ctx: Service, input: BackfillInput, call?: CallOptions): Promise<Backfill> {
  refuseUnknown(input, Object.keys(FIELDS))
  const { players = [], timeoutSeconds } = input
  const issues = timeoutFaults(timeoutSeconds, 'timeoutSeconds')
  if (issues.length > 0) throw validationFailed(issues)
  checkFreeForm(Object.fromEntries(players.map(({ state }, index) => [`players.${index}.state`, state])))
  return change(
    ctx,
    ofMatch,
    input,
    async (match, draft) => {
      orThrow(mayTakeNewcomers(match))
      const queue = await requireQueue(ctx, match.projectId, match.queueId)
      // The commit checks the version of the queue, because its settings may have changed since the read.
      draft.check('queue', queue)
      orThrow(mayAskForPlayers(queue))
      return decideRequest(match, input, seatingOf(ctx, match, queue, draft.at))
    },
    { call, answer: (match) => shown(match) },
  )
}

export const getBackfill = (ctx: Ports, input: OnMatch): Promise<Backfill> =>
  unavailableInsteadOf(async () => shown(await requireMatch(ctx, input.projectId, input.matchId)))

export async function cancelBackfill(ctx: Service, input: OnMatch, call?: CallOptions): Promise<void> {
  await change(ctx, ofMatch, input, decideCancel, { call, answer: () => null })
}

function shown(match: Match): Backfill {
  const { backfill } = match
  if (backfill === undefined) throw ServiceError.of(noRequest(match).rejected)
  const { teams, requestedAt, expiresAt } = backfill
  return { matchId: match.id, status: 'searching', teams, createdAt: requestedAt, expiresAt }
}
