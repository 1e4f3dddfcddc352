import type { LobbyEvent } from '../lobby/events'
import type { Match, MatchWait, ProposalOutcome } from '../match/match'
import type { ServerEvent } from '../server/events'
import type { DisabledReason } from '../webhook/webhook'

interface InProject {
  readonly projectId: string
}

type OfLobby = LobbyEvent & InProject & { readonly lobbyId: string; readonly queueId: string }
type OfServer = ServerEvent & InProject & { readonly instanceId: string; readonly matchId: string | null }

/** Events that belong to no single lobby or server. */
type OtherEvent =
  | { readonly type: 'match_proposed'; readonly match: Match }
  | {
      readonly type: 'proposal_ended'
      readonly match: Match
      readonly outcome: Exclude<ProposalOutcome, 'accepted'>
      readonly reason: string
    }
  | { readonly type: 'match_found'; readonly match: Match }
  | { readonly type: 'match_started'; readonly match: Match }
  /** Newcomers took open seats of a running match. */
  | {
      readonly type: 'match_backfilled'
      readonly match: Match
      readonly lobbyIds: readonly string[]
      /** How long the newcomers had waited. */
      readonly waits: readonly MatchWait[]
    }
  | { readonly type: 'match_ended'; readonly match: Match; readonly reason: string }
  | { readonly type: 'server_created'; readonly instanceId: string; readonly matchId: string | null }
  | { readonly type: 'build_ready'; readonly buildId: string; readonly name: string }
  | { readonly type: 'build_failed'; readonly buildId: string; readonly name: string; readonly errorMessage: string }
  | { readonly type: 'queue_changed'; readonly queueId: string }
  | { readonly type: 'api_key_revoked'; readonly keyId: string }
  | {
      /** A webhook was sent to, or could not be: `statusCode` is null where nobody answered. */
      readonly type: 'delivery_attempted'
      readonly deliveryId: string
      readonly webhookId: string
      readonly statusCode: number | null
      readonly durationMs: number
      readonly isTaken: boolean
    }
  | { readonly type: 'delivery_given_up'; readonly deliveryId: string; readonly webhookId: string }
  | { readonly type: 'webhook_disabled'; readonly webhookId: string; readonly reason: DisabledReason }
  | { readonly type: 'project_deleted' }
  | { readonly type: 'plan_changed'; readonly accountId: string; readonly plan: string }

/** An event before its commit gives it the instant. */
export type DomainEventBody = OfLobby | OfServer | (OtherEvent & InProject)

/** Everything an embedder can listen to, by `type`. Told after the commit, on the node that made it. `at`: epoch milliseconds of the decision. */
export type DomainEvent = DomainEventBody & { readonly at: number }

export type DomainEventType = DomainEvent['type']

/** The listeners' map for eventemitter3: `events.on('match_found', (event) => …)`. */
export type DomainEventMap = { [T in DomainEventType]: (event: Extract<DomainEvent, { type: T }>) => void } & {
  '*': (event: DomainEvent) => void
}
