import type { InProject, OnLobby, OnLobbyByBackend, OwnedBy } from '../context/inputs'
import type { ServerLogsInput } from '../runtime/server-logs'
import type { PageRequest } from '../shared/page'
import type { PollLobbyInput, WatchLobbyInput } from '../streams/index'
import type { Credentials, IdentifyPlayerInput } from '../use-cases/access/index'
import type * as accounts from '../use-cases/accounts/index'
import type * as billing from '../use-cases/billing/index'
import type * as builds from '../use-cases/builds/index'
import type * as keys from '../use-cases/keys/index'
import type * as lobbies from '../use-cases/lobbies/index'
import type { AssignServerInput } from '../use-cases/matches/assign-server'
import type { BackfillInput } from '../use-cases/matches/backfill'
import type { GetMatchInput } from '../use-cases/matches/get-match'
import type { ListMatchesInput } from '../use-cases/matches/list-matches'
import type { SelfBackfillInput } from '../use-cases/matches/self-backfill'
import type { EnsureProjectInput } from '../use-cases/projects/ensure-project'
import type * as projects from '../use-cases/projects/index'
import type * as queues from '../use-cases/queues/index'
import type * as servers from '../use-cases/servers/index'
import type * as webhooks from '../use-cases/webhooks/index'
import type { FieldsOf } from './strictly'

// The fields of every input that has optional ones; a field that is added is asked for here by its type.

const PAGE: FieldsOf<Required<PageRequest>> = { limit: true, offset: true }
const IN_PROJECT: FieldsOf<InProject> = { projectId: true }
const OWNED_BY: FieldsOf<OwnedBy> = { projectId: true, accountId: true }
/** Whoever addresses a lobby keeps these together, and calls everything on it with them: `backend` is no slip where it says nothing. */
export const ON_LOBBY: FieldsOf<OnLobby | OnLobbyByBackend> = {
  ...IN_PROJECT,
  lobbyId: true,
  playerId: true,
  backend: true,
}

export const CREDENTIALS: FieldsOf<Credentials> = { apiKey: true, bearer: true }

export const IDENTIFY_PLAYER: FieldsOf<IdentifyPlayerInput> = { caller: true, rule: true, playerId: true, token: true }

export const ACCOUNTS = {
  create: {
    email: true,
    password: true,
    name: true,
    plan: true,
    project: true,
  } satisfies FieldsOf<accounts.CreateAccountInput>,
  list: PAGE,
  useSignInCode: { code: true, by: true } satisfies FieldsOf<accounts.UseSignInCodeInput>,
}

export const PROJECTS = {
  ensure: { name: true, email: true, passwordHash: true, plan: true } satisfies FieldsOf<EnsureProjectInput>,
  list: { accountId: true, ...PAGE } satisfies FieldsOf<projects.ListProjectsInput>,
  setPlayerAuth: {
    accountId: true,
    projectId: true,
    mode: true,
    issuers: true,
  } satisfies FieldsOf<projects.SetPlayerAuthInput>,
}

export const KEYS = {
  mint: {
    accountId: true,
    projectId: true,
    type: true,
    name: true,
    expiresInSeconds: true,
  } satisfies FieldsOf<keys.MintKeyInput>,
  list: { accountId: true, projectId: true, ...PAGE } satisfies FieldsOf<keys.ListKeysInput>,
}

export const BILLING = {
  upgrade: { accountId: true, plan: true, paymentMethodToken: true } satisfies FieldsOf<billing.UpgradeInput>,
  usage: { accountId: true, month: true } satisfies FieldsOf<billing.GetUsageInput>,
}

export const BUILDS = {
  createUpload: {
    ...IN_PROJECT,
    name: true,
    executablePath: true,
    sizeBytes: true,
    sha256: true,
  } satisfies FieldsOf<builds.CreateUploadInput>,
  list: { ...IN_PROJECT, name: true, status: true, type: true, ...PAGE } satisfies FieldsOf<builds.ListBuildsInput>,
}

export const SERVERS = {
  create: {
    ...IN_PROJECT,
    versionTag: true,
    name: true,
    region: true,
    tier: true,
    networkPorts: true,
    readiness: true,
    startupArgs: true,
    ttlSeconds: true,
    autoRestart: true,
    customData: true,
  } satisfies FieldsOf<servers.CreateServerInput>,
  list: {
    ...IN_PROJECT,
    status: true,
    region: true,
    matchId: true,
    versionTag: true,
    ...PAGE,
  } satisfies FieldsOf<servers.ListServersInput>,
  logs: { ...OWNED_BY, instanceId: true, limit: true, since: true } satisfies FieldsOf<ServerLogsInput>,
}

/** The settings of a queue have a list of their own, nested as they are (`queue/known-settings.ts`). */
const ON_QUEUE = { ...IN_PROJECT, queueId: true } as const

export const QUEUES = {
  list: { ...IN_PROJECT, ...PAGE },
  update: { ...ON_QUEUE, changes: true, by: true } satisfies FieldsOf<queues.UpdateQueueInput>,
  arrivals: { ...ON_QUEUE, since: true, limit: true, cursor: true } satisfies FieldsOf<queues.ListArrivalsInput>,
  history: { ...ON_QUEUE, ...PAGE } satisfies FieldsOf<queues.QueueHistoryInput>,
  restore: { ...ON_QUEUE, version: true, by: true } satisfies FieldsOf<queues.RestoreQueueInput>,
}

export const LOBBIES = {
  create: {
    ...IN_PROJECT,
    playerId: true,
    queueId: true,
    name: true,
    region: true,
    isPrivate: true,
    maxPlayers: true,
    settings: true,
    state: true,
    client: true,
  } satisfies FieldsOf<lobbies.CreateLobbyInput>,
  end: { ...ON_LOBBY, isOperator: true } satisfies FieldsOf<lobbies.EndMatchInput>,
  ban: { ...ON_LOBBY, targetPlayerId: true } satisfies FieldsOf<lobbies.BanPlayerInput>,
  browse: {
    ...IN_PROJECT,
    backend: true,
    playerId: true,
    queueId: true,
    status: true,
    region: true,
    settings: true,
    includePrivate: true,
    sort: true,
    ...PAGE,
  } satisfies FieldsOf<lobbies.BrowseLobbiesInput>,
  answer: { ...IN_PROJECT, lobbyId: true, playerId: true, matchId: true } satisfies FieldsOf<lobbies.AnswerInput>,
  ofPlayer: { ...IN_PROJECT, playerId: true, ...PAGE } satisfies FieldsOf<lobbies.LobbiesOfPlayerInput>,
  ofProject: {
    ...IN_PROJECT,
    queueId: true,
    status: true,
    region: true,
    settings: true,
    playerId: true,
    code: true,
    cursor: true,
    limit: true,
  } satisfies FieldsOf<lobbies.LobbiesOfProjectInput>,
  join: { ...ON_LOBBY, state: true, client: true } satisfies FieldsOf<lobbies.JoinLobbyInput>,
  joinByCode: {
    ...IN_PROJECT,
    playerId: true,
    inviteCode: true,
    state: true,
    client: true,
  } satisfies FieldsOf<lobbies.JoinByCodeInput>,
  quickJoin: {
    ...IN_PROJECT,
    playerId: true,
    queueId: true,
    filter: true,
    state: true,
    create: true,
    client: true,
  } satisfies FieldsOf<lobbies.QuickJoinInput>,
  updatePlayer: {
    ...ON_LOBBY,
    targetPlayerId: true,
    state: true,
    merge: true,
    client: true,
  } satisfies FieldsOf<lobbies.UpdatePlayerInput>,
  poll: {
    ...ON_LOBBY,
    afterVersion: true,
    waitSeconds: true,
    keyId: true,
    accountId: true,
    signal: true,
    until: true,
    address: true,
  } satisfies FieldsOf<PollLobbyInput>,
  watch: {
    ...ON_LOBBY,
    keyId: true,
    accountId: true,
    lastEventId: true,
    fromOldest: true,
    until: true,
    address: true,
    turn: true,
  } satisfies FieldsOf<WatchLobbyInput>,
}

const BACKFILL_WISH = { teams: true, players: true, timeoutSeconds: true } as const

export const MATCHES = {
  assign: {
    ...IN_PROJECT,
    matchId: true,
    host: true,
    ports: true,
    region: true,
    customData: true,
  } satisfies FieldsOf<AssignServerInput>,
  get: { ...IN_PROJECT, matchId: true, backend: true } satisfies FieldsOf<GetMatchInput>,
  list: {
    ...IN_PROJECT,
    queueId: true,
    status: true,
    endReason: true,
    cursor: true,
    limit: true,
  } satisfies FieldsOf<ListMatchesInput>,
  backfill: { ...IN_PROJECT, matchId: true, ...BACKFILL_WISH } satisfies FieldsOf<BackfillInput>,
  selfBackfill: {
    ...IN_PROJECT,
    instanceId: true,
    attempt: true,
    ...BACKFILL_WISH,
  } satisfies FieldsOf<SelfBackfillInput>,
}

export const WEBHOOKS = {
  create: {
    ...IN_PROJECT,
    url: true,
    types: true,
    description: true,
  } satisfies FieldsOf<webhooks.CreateWebhookInput>,
  list: { ...IN_PROJECT, ...PAGE } satisfies FieldsOf<webhooks.ListWebhooksInput>,
  deliveries: {
    ...OWNED_BY,
    webhookId: true,
    status: true,
    ...PAGE,
  } satisfies FieldsOf<webhooks.ListDeliveriesInput>,
}
