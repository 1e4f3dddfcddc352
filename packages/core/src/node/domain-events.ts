import type { Ban } from '../ban/ban'
import type { LobbyEvent } from '../lobby/events'
import type { Match, MatchWait, ProposalOutcome } from '../match/match'
import type { KeptProblem } from '../problem/kept-problem'
import type { ServerEvent } from '../server/events'
import type { DisabledReason } from '../webhook/webhook'

interface InProject {
  readonly projectId: string
}

type OfLobby = LobbyEvent & InProject & { readonly lobbyId: string; readonly queueId: string }
type OfServer = ServerEvent & InProject & { readonly instanceId: string; readonly matchId: string | null }

/** Events that do not belong to one lobby or one server. */
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
  /** New players took open seats of a running match. */
  | {
      readonly type: 'match_backfilled'
      readonly match: Match
      readonly lobbyIds: readonly string[]
      /** Waiting times of the new players. */
      readonly waits: readonly MatchWait[]
    }
  /** The first result of a match was recorded, or its result was amended. */
  | { readonly type: 'match_resulted'; readonly match: Match }
  | { readonly type: 'match_ended'; readonly match: Match; readonly reason: string }
  | { readonly type: 'server_created'; readonly instanceId: string; readonly matchId: string | null }
  | { readonly type: 'build_ready'; readonly buildId: string; readonly name: string }
  | { readonly type: 'build_failed'; readonly buildId: string; readonly name: string; readonly errorMessage: string }
  | { readonly type: 'queue_changed'; readonly queueId: string }
  /** A player was banned from the project or from some of its queues, or the ban was replaced. */
  | { readonly type: 'player_banned'; readonly ban: Ban }
  /** A ban was lifted before its end. `ban`: the ban before it was lifted. */
  | { readonly type: 'player_unbanned'; readonly ban: Ban }
  /** A problem of the project was found, or has not been found for some minutes. A muted problem is not told. */
  | { readonly type: 'problem_opened'; readonly problem: KeptProblem }
  | { readonly type: 'problem_closed'; readonly problem: KeptProblem }
  | { readonly type: 'api_key_revoked'; readonly keyId: string }
  | {
      /** This node tried to send a message to a webhook. `statusCode` is null when the endpoint did not answer. */
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

/** A domain event without `at`. Its commit adds the instant of the decision. */
export type DomainEventBody = OfLobby | OfServer | (OtherEvent & InProject)

/** Domain event that an embedding application can listen to, by `type`. The node that made a commit emits its events after the commit. */
export type DomainEvent = DomainEventBody & {
  /** Time of the decision, in epoch milliseconds. */
  readonly at: number
}

/** Type of a domain event, for example `match_found`. */
export type DomainEventType = DomainEvent['type']

/** Map of listeners for eventemitter3: `events.on('match_found', (event) => …)`. The name `*` receives every event. */
export type DomainEventMap = { [T in DomainEventType]: (event: Extract<DomainEvent, { type: T }>) => void } & {
  /** Listener for every event. */
  '*': (event: DomainEvent) => void
}
