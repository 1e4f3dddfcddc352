import type {
  Account,
  ApiKey,
  AuditEntry,
  Ban,
  Build,
  Cooldown,
  Delivery,
  GameServer,
  Invitation,
  KeptProblem,
  Lobby,
  LobbyPlayer,
  Match,
  Member,
  Message,
  Project,
  Queue,
  QueueTicket,
  Rating,
  Standing,
  Webhook,
} from '@matchyard/core'
import { DEFAULT_PLAN } from '@matchyard/core'
import {
  type Arrival,
  type ArrivalBatch,
  arrivalsId,
  type Entities,
  type EntityKind,
  queueKey,
} from '@matchyard/core/ports'
import { freshId } from './changes'

/** The functions below return complete, valid entities in version 1; pass only the fields that a test case is about. */
export const PROJECT_ID = 'prj_a'
export const ACCOUNT_ID = 'acc_a'
export const QUEUE_KEY = queueKey(PROJECT_ID, 'ranked')

export const players = (...ids: string[]): LobbyPlayer[] =>
  ids.map((playerId, index) => ({ playerId, joinedAt: 1_000 + index, state: {} }))

export const aLobby = (parts: Partial<Lobby> = {}): Lobby => ({
  id: freshId('lob'),
  version: 1,
  projectId: PROJECT_ID,
  accountId: ACCOUNT_ID,
  queueId: 'ranked',
  status: 'waiting',
  hostPlayerId: 'ann',
  isPrivate: false,
  maxPlayers: 4,
  players: players('ann'),
  name: null,
  region: null,
  inviteCode: null,
  settings: {},
  server: null,
  matchId: null,
  ticket: null,
  createdAt: 1_000,
  updatedAt: 1_000,
  ...parts,
})

export const aTicket = (parts: Partial<QueueTicket> = {}): QueueTicket => ({
  id: freshId('tic'),
  version: 1,
  projectId: PROJECT_ID,
  queueKey: QUEUE_KEY,
  lobbyId: 'lob_a',
  enteredAt: 1_000,
  region: null,
  players: [{ playerId: 'ann', state: { mmr: 1_500 } }],
  ...parts,
})

/**
 * Returns a running match's request for players: a row that is stored among the tickets of a queue, but has no party.
 */
export const aRequest = (parts: Partial<QueueTicket> = {}): QueueTicket => ({
  ...aTicket({ lobbyId: 'mat_a', region: 'fra', players: [] }),
  request: {
    matchId: 'mat_a',
    players: [{ playerId: 'bob', state: { mmr: 1_400 }, team: 'team_1', role: null }],
    teams: [{ name: 'team_2', open: 1, roles: null }],
    gameVersion: null,
  },
  ...parts,
})

export const aServer = (parts: Partial<GameServer> = {}): GameServer => ({
  id: freshId('srv'),
  version: 1,
  projectId: PROJECT_ID,
  accountId: ACCOUNT_ID,
  name: 'arena',
  status: 'launching',
  region: 'iad',
  tier: '1x-1g',
  versionTag: 'arena',
  buildId: 'bld_a',
  buildVersion: 1,
  portRequests: [],
  networkPorts: [],
  startupArgs: '',
  ttlSeconds: null,
  autoRestart: false,
  customData: {},
  queueId: 'ranked',
  matchId: null,
  nodeId: null,
  attempt: 0,
  attemptOpen: false,
  launchAttempts: 0,
  launchDeadlineAt: 61_000,
  exitCode: null,
  stopReason: null,
  restarts: 0,
  crashesInARow: 0,
  relaunchAt: null,
  launchedAt: null,
  createdAt: 1_000,
  runningAt: null,
  stoppedAt: null,
  expiresAt: null,
  updatedAt: 1_000,
  ...parts,
})

export const aBuild = (parts: Partial<Build> = {}): Build => ({
  id: freshId('bld'),
  version: 1,
  projectId: PROJECT_ID,
  accountId: ACCOUNT_ID,
  name: 'arena',
  buildVersion: 1,
  status: 'ready',
  type: 'zip',
  executablePath: 'server.js',
  imageUrl: null,
  imageDigest: null,
  errorMessage: null,
  uploadExpiresAt: null,
  sizeBytes: null,
  logs: [],
  createdAt: 1_000,
  updatedAt: 1_000,
  ...parts,
})

export const aProject = (parts: Partial<Project> = {}): Project => {
  const id = parts.id ?? freshId('prj')
  return {
    id,
    version: 1,
    accountId: ACCOUNT_ID,
    name: 'Arena',
    slug: id,
    createdAt: 1_000,
    updatedAt: 1_000,
    deletedAt: null,
    ...parts,
  }
}

export const aMatch = (parts: Partial<Match> = {}): Match => ({
  id: freshId('mat'),
  version: 1,
  status: 'running',
  projectId: PROJECT_ID,
  accountId: ACCOUNT_ID,
  queueId: 'ranked',
  region: 'iad',
  gameVersion: null,
  lobbyIds: [],
  teams: [],
  settings: {},
  serverId: null,
  waits: [],
  createdAt: 1_000,
  endedAt: null,
  ...parts,
})

export const aQueue = (parts: Partial<Queue> = {}): Queue => {
  const queueId = parts.queueId ?? 'ranked'
  const projectId = parts.projectId ?? PROJECT_ID
  return {
    id: queueKey(projectId, queueId),
    version: 1,
    projectId,
    queueId,
    name: 'Ranked',
    enabled: true,
    maxPlayers: 10,
    timeoutSeconds: 300,
    heartbeat: false,
    heartbeatTimeoutSeconds: 60,
    hostLeaveBehavior: 'promote',
    lobbyTtlSeconds: 3_600,
    matchTtlSeconds: 86_400,
    concurrentMatches: false,
    presenceTimeoutSeconds: 30,
    inGameHeartbeatTimeoutSeconds: null,
    leaverPenaltySeconds: 0,
    requeueOnFailure: false,
    rating: null,
    ratingField: 'mmr',
    ratedStarts: false,
    inviteCodeConfig: { enabled: true, length: 6, charset: 'alphanumeric', prefix: '' },
    serverSettings: null,
    matchmaking: null,
    createdAt: 1_000,
    updatedAt: 1_000,
    ...parts,
  }
}

export const anApiKey = (parts: Partial<ApiKey> = {}): ApiKey => {
  const id = parts.id ?? freshId('key')
  return {
    id,
    version: 1,
    projectId: PROJECT_ID,
    accountId: ACCOUNT_ID,
    type: 'server',
    name: 'server',
    last4: 'abcd',
    hash: `hash of ${id}`,
    createdAt: 1_000,
    revokedAt: null,
    ...parts,
  }
}

export const anAccount = (parts: Partial<Account> = {}): Account => {
  const id = parts.id ?? freshId('acc')
  return {
    id,
    version: 1,
    email: `${id}@example.com`,
    name: 'Ann',
    passwordHash: 'argon2id',
    plan: DEFAULT_PLAN,
    planHistory: [{ plan: DEFAULT_PLAN, from: 1_000 }],
    pendingPlan: null,
    pendingPlanAt: null,
    customerId: null,
    paymentMethod: null,
    createdAt: 1_000,
    updatedAt: 1_000,
    ...parts,
  }
}

export const aCooldown = (parts: Partial<Cooldown> = {}): Cooldown => ({
  id: freshId('cool'),
  version: 1,
  projectId: PROJECT_ID,
  queueId: 'ranked',
  until: 2_000,
  ...parts,
})

export const aBan = (parts: Partial<Ban> = {}): Ban => ({
  id: freshId('ban'),
  version: 1,
  projectId: PROJECT_ID,
  playerId: 'ann',
  reason: 'cheating',
  note: null,
  until: null,
  queues: null,
  createdAt: 1_000,
  updatedAt: 1_000,
  createdBy: { kind: 'key', id: 'key_a', name: 'server' },
  ...parts,
})

export const aRating = (parts: Partial<Rating> = {}): Rating => ({
  id: `${PROJECT_ID}/${freshId('rating')}`,
  version: 1,
  projectId: PROJECT_ID,
  ratingId: 'ranked',
  key: 'prj_a/ranked@1',
  name: 'Ranked',
  model: 'plackettLuce',
  params: { beta: 25 / 6, tau: 25 / 300, limitSigma: false },
  initial: { mu: 25, sigma: 8.333 },
  display: { base: 1_500, perSigma: 500 },
  placementMatches: 5,
  seasons: [],
  createdAt: 1_000,
  updatedAt: 1_000,
  ...parts,
})

export const aMember = (parts: Partial<Member> = {}): Member => {
  const { projectId = PROJECT_ID, accountId = freshId('acc') } = parts
  return {
    id: `${projectId} ${accountId}`,
    version: 1,
    projectId,
    accountId,
    ownerId: ACCOUNT_ID,
    role: 'developer',
    keys: [{ id: 'key_a' }, { id: 'key_b', expiresAt: 2_000 }],
    createdAt: 1_000,
    updatedAt: 1_000,
    ...parts,
  }
}

export const anInvitation = (parts: Partial<Invitation> = {}): Invitation => {
  const id = parts.id ?? freshId('inv')
  return {
    id,
    version: 1,
    projectId: PROJECT_ID,
    tokenHash: `hash of ${id}`,
    role: 'support',
    email: 'eve@example.com',
    invitedBy: null,
    createdAt: 1_000,
    expiresAt: 2_000,
    ...parts,
  }
}

export const aMachine = (parts: Partial<Entities['machine']> = {}): Entities['machine'] => ({
  id: freshId('machine'),
  version: 1,
  name: 'fra-1',
  kind: 'node',
  host: null,
  peerUrl: null,
  release: '0.1.0',
  regions: ['fra'],
  status: 'ready',
  drainBy: null,
  rest: null,
  createdAt: 1_000,
  updatedAt: 1_000,
  ...parts,
})

export const aStanding = (parts: Partial<Standing> = {}): Standing => ({
  id: freshId('standing'),
  version: 1,
  projectId: PROJECT_ID,
  ratingId: 'ranked',
  ratingKey: 'prj_a/ranked@1',
  playerId: 'ann',
  season: 0,
  ...{ mu: 25, sigma: 8, matches: 5, cell: 0, updatedAt: 1_000 },
  ...parts,
})

export const anArrival = (parts: Partial<Arrival> = {}): Arrival => ({
  id: 'arr_a',
  lobbyId: 'lob_a',
  enteredAt: 500,
  outcome: 'matched',
  matchId: 'mat_a',
  region: null,
  players: [{ playerId: 'ann', state: { mmr: 1_500 } }],
  ...parts,
})

export const anArrivalBatch = ({
  queueKey = QUEUE_KEY,
  leftAt = 1_000,
  name = freshId('arr'),
  arrivals = [anArrival()],
}: {
  readonly queueKey?: string
  readonly leftAt?: number
  readonly name?: string
  readonly arrivals?: readonly Arrival[]
} = {}): ArrivalBatch => ({ id: arrivalsId(queueKey, leftAt, name), version: 1, leftAt, arrivals })

export const aQueueVersion = (parts: Partial<Entities['queue-version']> = {}): Entities['queue-version'] => {
  const { id: key, queueId, projectId, name, enabled, maxPlayers, timeoutSeconds, heartbeat, ...queue } = aQueue()
  const { presenceTimeoutSeconds, inGameHeartbeatTimeoutSeconds } = queue
  const { heartbeatTimeoutSeconds, hostLeaveBehavior, lobbyTtlSeconds, matchTtlSeconds, concurrentMatches } = queue
  const { leaverPenaltySeconds, requeueOnFailure, inviteCodeConfig } = queue
  return {
    id: `${key}@1000/1`,
    version: 1,
    projectId,
    queueId,
    number: 1,
    at: 1_000,
    by: { kind: 'key', id: 'key_a', name: 'server' },
    settings: {
      ...{ name, enabled, maxPlayers, timeoutSeconds, heartbeat, heartbeatTimeoutSeconds, hostLeaveBehavior },
      ...{
        lobbyTtlSeconds,
        matchTtlSeconds,
        concurrentMatches,
        presenceTimeoutSeconds,
        inGameHeartbeatTimeoutSeconds,
        leaverPenaltySeconds,
        requeueOnFailure,
        inviteCodeConfig,
        serverSettings: null,
        matchmaking: null,
        rating: null,
        ratingField: 'mmr',
        ratedStarts: false,
        trustedFields: null,
      },
    },
    ...parts,
  }
}

export const aProblem = (parts: Partial<KeptProblem> = {}): KeptProblem => ({
  id: freshId('prb'),
  version: 1,
  projectId: PROJECT_ID,
  code: 'servers_crashed',
  severity: 'error',
  sentence: 'duel: 3 servers crashed in the last hour: exit code 1. Read the log.',
  subject: { kind: 'queue', id: 'duel' },
  count: 3,
  details: { versionTag: 'arena', buildId: 'bld_a', buildVersion: 1 },
  openedAt: 1_000,
  seenAt: 1_000,
  closedAt: null,
  ...parts,
})

export const aWebhook = (parts: Partial<Webhook> = {}): Webhook => ({
  id: freshId('whk'),
  version: 1,
  projectId: PROJECT_ID,
  accountId: ACCOUNT_ID,
  url: 'https://example.com/hook',
  types: ['match.found', 'lobby.deleted'],
  description: null,
  enabled: true,
  disabledReason: null,
  secrets: [{ seed: 'seed', until: null }],
  failingSince: null,
  createdAt: 1_000,
  updatedAt: 1_000,
  ...parts,
})

export const aMessage = (parts: Partial<Message> = {}): Message => ({
  id: freshId('msg'),
  version: 1,
  projectId: PROJECT_ID,
  type: 'lobby.deleted',
  subject: { kind: 'lobby', lobby: aLobby() },
  createdAt: 1_000,
  ...parts,
})

export const aDelivery = (parts: Partial<Delivery> = {}): Delivery => ({
  id: freshId('dlv'),
  version: 1,
  projectId: PROJECT_ID,
  webhookId: 'whk_a',
  messageId: 'msg_a',
  type: 'lobby.deleted',
  status: 'pending',
  isAskedFor: false,
  attempts: [],
  nextAttemptAt: 1_000,
  createdAt: 1_000,
  ...parts,
})

export const anAuditEntry = (parts: Partial<AuditEntry> = {}): AuditEntry => ({
  id: freshId('aud'),
  version: 1,
  projectId: PROJECT_ID,
  accountId: ACCOUNT_ID,
  createdAt: 1_000,
  actor: { kind: 'session', accountId: ACCOUNT_ID, sessionId: 'ses_a', address: '192.0.2.1' },
  operation: 'bans.set',
  target: { kind: 'player', id: 'ann' },
  changes: [],
  players: ['ann'],
  ...parts,
})

export const aSession = (parts: Partial<Entities['session']> = {}): Entities['session'] => ({
  id: freshId('ses'),
  version: 1,
  accountId: ACCOUNT_ID,
  createdAt: 1_000,
  expiresAt: 2_000,
  ended: null,
  ...parts,
})

/** Returns one entity of every kind. */
export const oneOfEach = (): { readonly [K in EntityKind]: Entities[K] } => ({
  account: anAccount(),
  session: aSession(),
  project: aProject(),
  'api-key': anApiKey(),
  member: aMember(),
  invitation: anInvitation(),
  problem: aProblem(),
  build: aBuild(),
  'build-name': { id: `${PROJECT_ID}/arena`, version: 1, projectId: PROJECT_ID, lastBuildVersion: 1 },
  queue: aQueue(),
  'queue-version': aQueueVersion(),
  lobby: aLobby(),
  ticket: aTicket(),
  arrivals: anArrivalBatch(),
  'invite-hold': { id: `${PROJECT_ID}/ABCDEF`, version: 1, projectId: PROJECT_ID, code: 'ABCDEF', until: 2_000 },
  cooldown: aCooldown(),
  ban: aBan(),
  rating: aRating(),
  standing: aStanding(),
  match: aMatch(),
  server: aServer(),
  machine: aMachine(),
  idempotency: {
    id: freshId('idem'),
    version: 1,
    requestHash: 'hash',
    answer: { status: 201, body: { lobby_id: 'lob_a' } },
    createdAt: 1_000,
    expiresAt: 2_000,
  },
  secret: {
    ...{ id: freshId('secret'), version: 1, projectId: 'prj_a', name: 'API_TOKEN', valueId: 'sec_a' },
    sealed: 'not readable',
  },
  webhook: aWebhook(),
  message: aMessage(),
  delivery: aDelivery(),
  backlog: {
    ...{
      id: freshId('backlog'),
      version: 1,
      projectId: 'prj_a',
      consumer: 'ratings',
      sinceVersion: 2,
      matchId: 'mat_a',
    },
    messages: [{ type: 'match.result', cursor: 41, at: 7 }],
  },
  audit: anAuditEntry(),
  installation: { id: freshId('mark'), version: 1, value: 'a fingerprint' },
})
