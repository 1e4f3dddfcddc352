import type { Feed, Matchyard } from '@matchyard/core'

// Types of the results of the core's calls.
type Answer<F> = F extends (...rest: never[]) => Promise<infer R> ? R : never

export type PlanStatus = Answer<Matchyard['billing']['plan']>
export type Usage = Answer<Matchyard['billing']['usage']>
export type StoppedServers = Answer<Matchyard['builds']['stop']>
export type BuildLogs = Answer<Matchyard['builds']['logs']>
export type ProjectBudget = Answer<Matchyard['projects']['getBudget']>
export type CreatedProject = Answer<Matchyard['projects']['create']>
export type MintedKey = Answer<Matchyard['keys']['mint']>
export type AccountProfile = Answer<Matchyard['accounts']['get']>
export type SessionGrant = Answer<Matchyard['accounts']['login']>
export type QueueStats = Answer<Matchyard['queues']['stats']>
export type QueueExplanation = Answer<Matchyard['lobbies']['explainMatchmaking']>
export type LobbyStream = Answer<Matchyard['lobbies']['watch']>
export type StreamMessage = NonNullable<Answer<LobbyStream['next']>>
export type ServerStream = Answer<Matchyard['servers']['selfWatch']>
export type LogMessage = NonNullable<Answer<Answer<Matchyard['servers']['followLogs']>['next']>>
export type FeedPage = NonNullable<Answer<Feed['pages']['next']>>
export type ServerMessage = NonNullable<Answer<ServerStream['next']>>
export type WebhookWithSecret = Answer<Matchyard['webhooks']['create']>
