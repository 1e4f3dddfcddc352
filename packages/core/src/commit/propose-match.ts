import { serverQuota } from '../billing/limits'
import { orThrow } from '../errors/service-error'
import { holdLobby } from '../lobby/in-proposal'
import type { Lobby } from '../lobby/lobby'
import type { MatchDesign } from '../match/decide'
import type { Match } from '../match/match'
import { decideProposeMatch as design, neededOf } from '../match/proposal'
import type { Ports } from '../ports/ports'
import type { ReadyCheck } from '../queue/matchmaking'
import { ticketTimeoutMs } from '../queue/timeouts'
import { SECOND_MS } from '../shared/time'
import { serverCounter } from './counters'
import { Draft } from './draft'
import { claimOf, type MatchToOpen, openMatch } from './open-match'
import { writeLobby } from './rows/lobby'
import { putProposal } from './rows/match'
import { spanOfMatch } from './spans'

/**
 * Proposes a match to its players, in one commit that writes the match and takes its lobbies out of the queue. A match whose server the
 * plan does not allow is not proposed, because its players would accept in vain. Throws PLAN_LIMIT_EXCEEDED and the rejections of
 * `holdLobby`.
 */
export function proposeMatch(
  ctx: Ports,
  draft: Draft,
  wanted: Omit<MatchToOpen, 'enter' | 'from'>,
  { timeoutSeconds, penaltySeconds = 0 }: ReadyCheck,
): Match {
  const { queue, account, lobbies } = wanted
  testLaunch(ctx, draft, wanted)
  const { id, teams, region, gameVersion } = wanted
  const trace = spanOfMatch(ctx, draft, 'propose', wanted)
  const owner = { projectId: queue.projectId, queueId: queue.queueId, accountId: account.id }
  const found: Omit<MatchDesign, 'waits' | 'serverId'> = {
    id,
    teams,
    region,
    gameVersion,
    lobbies,
    ...owner,
    ...trace,
    ...claimOf(queue),
    at: draft.at,
  }
  const expiresAt = draft.at + timeoutSeconds * SECOND_MS
  const match = putProposal(draft, design(found, { expiresAt, penaltySeconds }))
  for (const lobby of lobbies) {
    const ticket = ticketOf(lobby)
    const ticketExpiresAt = ticket.expiresAt ?? ticket.enteredAt + ticketTimeoutMs(queue)
    const held = { id, expiresAt, needed: neededOf(match), ticketExpiresAt }
    writeLobby(draft, lobby, orThrow(holdLobby(lobby, ticket, held)))
  }
  return match
}

/**
 * Checks that the match could be made now, by opening the match in a draft that is not committed. The commit of the proposal then also
 * checks that the account may run one more server. Throws PLAN_LIMIT_EXCEEDED.
 */
function testLaunch(ctx: Ports, draft: Draft, wanted: Omit<MatchToOpen, 'enter' | 'from'>): void {
  const { account } = wanted
  const { server } = openMatch(ctx, new Draft(draft.at), { ...wanted, enter: () => ({ ok: true, events: [] }) })
  const quota = serverQuota(account)
  if (server !== null && quota !== undefined) draft.counter(serverCounter(account.id), 0, quota - 1)
}

function ticketOf({ id, ticket }: Lobby): NonNullable<Lobby['ticket']> {
  if (ticket === null) throw new Error(`${id} is proposed a match and does not search`)
  return ticket
}
