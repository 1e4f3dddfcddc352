import type { MatchmakingConfig, Matchyard } from '@matchyard/core'
import type { Place } from './invariants/snapshot'

const duel = {
  teams: 2,
  playersPerTeam: 1,
  rules: [{ type: 'difference', field: 'mmr', maxDifference: 100 }],
} as const satisfies MatchmakingConfig
const udp = { name: 'game', protocol: 'udp', internalPort: 7_000, tlsEnabled: false } as const
const tcp = { name: 'web', protocol: 'tcp', internalPort: 8_080, tlsEnabled: false } as const

/** Field of players' states that clients may not write in queues that trust it. */
export const TRUSTED_FIELD = 'rank'

/** Queues with different settings for servers, parties, timeouts, and the effect when a host leaves. */
const QUEUES = [
  {
    queueId: 'duel',
    name: '1v1 with a server',
    timeoutSeconds: 40,
    requeueOnFailure: true,
    leaverPenaltySeconds: 4,
    matchmaking: { ...duel, lateJoin: true },
    serverSettings: { versionTag: 'arena', networkPorts: [udp], warm: { buffer: 1 } },
  },
  {
    queueId: 'squads',
    name: '2v2 of parties, servers of their own',
    timeoutSeconds: 30,
    requeueOnFailure: true,
    maxPlayers: 3,
    heartbeat: true,
    heartbeatTimeoutSeconds: 20,
    lobbyTtlSeconds: 120,
    hostLeaveBehavior: 'delete',
    serverSettings: { source: 'external' },
    trustedFields: [TRUSTED_FIELD],
    matchmaking: {
      ...{ teams: 2, playersPerTeam: 2, minPlayersPerTeam: 1, partialAfterSeconds: 3, maxPartySize: 2 },
      maxSizeDifference: 0,
      lateJoin: true,
      backfill: { automatic: true, timeoutSeconds: 20 },
    },
  },
  {
    queueId: 'hardy',
    name: '1v1 with a server that is restarted and has a ttl',
    timeoutSeconds: 60,
    requeueOnFailure: true,
    lobbyTtlSeconds: 60,
    inviteCodeConfig: { length: 4, charset: 'numeric' },
    matchmaking: {
      ...{ ...duel, timeoutSeconds: 20 },
      rules: [...duel.rules, { type: 'avoid' }, { type: 'recent_opponents', seconds: 15 }],
    },
    serverSettings: { versionTag: 'arena', networkPorts: [udp, tcp], autoRestart: true, ttl: 120 },
  },
  {
    queueId: 'asked',
    name: '1v1 of parties whose players are asked first',
    timeoutSeconds: 50,
    requeueOnFailure: true,
    leaverPenaltySeconds: 6,
    maxPlayers: 2,
    heartbeat: true,
    heartbeatTimeoutSeconds: 30,
    matchmaking: {
      teams: 2,
      playersPerTeam: 2,
      minPlayersPerTeam: 1,
      partialAfterSeconds: 0,
      maxPartySize: 2,
      rules: [{ type: 'difference', field: 'mmr', maxDifference: 150 }, { type: 'avoid' }],
      readyCheck: { timeoutSeconds: 8, penaltySeconds: 5 },
    },
    trustedFields: [TRUSTED_FIELD],
    serverSettings: { versionTag: 'arena', networkPorts: [udp], warm: { min: 2, buffer: 1 } },
  },
  {
    queueId: 'casual',
    name: '1v1 for players who may be in other matches at the same time',
    timeoutSeconds: 60,
    concurrentMatches: true,
    matchmaking: duel,
  },
  {
    queueId: 'late',
    name: '2v2 that begins with two players and takes friends of its players, without a server',
    timeoutSeconds: 40,
    matchmaking: {
      ...{ teams: 2, playersPerTeam: 2, minPlayersPerTeam: 1, partialAfterSeconds: 0 },
      rules: [{ type: 'avoid' }, { type: 'recent_opponents', seconds: 8 }],
      lateJoin: true,
      backfill: { automatic: true, timeoutSeconds: 20 },
    },
  },
] as const

/** Changes that a command makes to a queue, as the body of PATCH. */
export const QUEUE_CHANGES = [
  { timeoutSeconds: 20 },
  { timeoutSeconds: 45 },
  { enabled: false },
  { enabled: true },
  { enabled: true },
  { maxPlayers: 2 },
  { maxPlayers: 4 },
  { lobbyTtlSeconds: 30 },
  { heartbeat: true, heartbeatTimeoutSeconds: 10 },
  { heartbeat: false },
  { hostLeaveBehavior: 'promote' },
  { hostLeaveBehavior: 'delete' },
  { inviteCodeConfig: { enabled: false } },
  { inviteCodeConfig: { prefix: 'GO-' } },
  { concurrentMatches: true },
  { concurrentMatches: false },
  { serverSettings: { versionTag: 'missing' } },
  { serverSettings: { versionTag: 'arena', networkPorts: [udp] } },
  { serverSettings: { versionTag: 'arena', networkPorts: [udp], warm: { buffer: 2 } } },
  { serverSettings: {} },
  { serverSettings: { source: 'external' } },
  { matchmaking: { ...duel, rules: [{ type: 'difference', field: 'mmr', maxDifference: 10 }] } },
  { matchmaking: { ...duel, rules: [{ type: 'equals', field: 'mode', required: true }] } },
  { matchmaking: duel },
  { matchmaking: { ...duel, lateJoin: true, backfill: { automatic: true, priority: 'before', timeoutSeconds: 10 } } },
  { matchmaking: { ...duel, readyCheck: { timeoutSeconds: 5, penaltySeconds: 2 } } },
  { leaverPenaltySeconds: 3 },
  { leaverPenaltySeconds: 0, requeueOnFailure: false },
  { requeueOnFailure: true },
] as const

export const QUEUE_IDS: readonly string[] = QUEUES.map(({ queueId }) => queueId)
export const PLAYERS = ['ann', 'bob', 'cat', 'dan', 'eve', 'fay'] as const

/** Creates a project with a ready build and the queues. `finish` runs all calls and jobs to their end. */
export async function furnish(matchyard: Matchyard, finish: <T>(work: Promise<T>) => Promise<T>): Promise<Place> {
  const { id: projectId, accountId } = await finish(matchyard.projects.ensure({ name: 'simulation' }))
  const build = await finish(matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' }))
  await finish(matchyard.worker.runDueJobs())
  for (const queue of QUEUES) await finish(matchyard.queues.create({ projectId, ...queue }))
  const queueKeys = QUEUE_IDS.map((queueId) => `${projectId}/${queueId}`)
  return { projectId, accountId, queueKeys, buildIds: [build.id] }
}
