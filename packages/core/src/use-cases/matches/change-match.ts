import type { CallOptions } from '../../commit/call-options'
import { matchOver, stopServerOf } from '../../commit/consequences/match-over'
import { withRating } from '../../commit/consequences/result-recorded'
import { Draft } from '../../commit/draft'
import type { Outcome } from '../../commit/outcome'
import { writeMatch } from '../../commit/rows/match'
import { serverOfMatch } from '../../commit/server-of-match'
import { transact } from '../../commit/transact'
import type { Ending } from '../../lobby/last-exit'
import type { MatchEvent } from '../../match/events'
import type { Match } from '../../match/match'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import type { InProject } from '../../project/in-project'
import { requireMatch } from '../../reads/require'
import { type MatchOnServer, withServers } from '../../reads/with-servers'
import type { Instant } from '../../shared/time'

/** End of a match by its backend. */
export const BACKEND_ENDED: Ending = { reason: 'backend_ended', detail: 'the backend ended the match' }

/** Changes of a match that one commit makes. */
interface Changes {
  readonly events: readonly MatchEvent[]
  /** End of the match in the same commit; absent when the match goes on. */
  readonly ending?: Ending
}

/** Records a result, or ends a match, or both in one commit. Returns the match after the commit. Throws MATCH_NOT_FOUND. */
export function changeMatch(
  ctx: Service,
  { projectId, matchId }: InProject & { readonly matchId: string },
  call: CallOptions | undefined,
  decide: (match: Match, at: Instant) => Changes,
): Promise<MatchOnServer> {
  return transact(
    ctx,
    call,
    async () => {
      const match = await requireMatch(ctx, projectId, matchId)
      const draft = new Draft(ctx.clock.now())
      return commitOf(ctx, draft, match, decide(match, draft.at))
    },
    async ({ id }) => {
      const match = await requireMatch(ctx, projectId, id)
      const [found] = await withServers(ctx, [match])
      return found ?? { match, server: null }
    },
  )
}

async function commitOf(
  ctx: Ports,
  draft: Draft,
  before: Match,
  { events: decided, ending }: Changes,
): Promise<Outcome<MatchOnServer>> {
  const events = await withRating(ctx, draft, before, decided)
  const ends = ending !== undefined && before.endedAt === null
  if (ends) {
    await matchOver(ctx, draft, before, ending, events)
    await stopServerOf(ctx, draft, before, 'its match ended')
  } else writeMatch(draft, before, events)
  const after = draft.written('match', before.id) ?? before
  const answer = { match: after, server: await serverOfMatch(ctx, draft, after) }
  return { draft, answer, about: { id: before.id } }
}
