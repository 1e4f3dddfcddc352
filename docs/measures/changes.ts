/**
 * The files that a developer touches to add one thing of a kind. An existing file is listed with a text that stands at
 * the place of the addition, a new file as `new:` and its place. Generated documents and tests are not counted. The
 * recipes in docs/CONTRIBUTING.md say the same in words.
 */
export interface Change {
  readonly name: string
  readonly touches: readonly string[]
  readonly atMost: number
}

const CORE = 'packages/core/src'
const HTTP = 'packages/http/src'
const POSTGRES = 'packages/storage-postgres/src'

export const CHANGES: readonly Change[] = [
  {
    name: 'a rule type',
    touches: [
      'packages/matchmaking/src/types.ts#export type MatchRule =',
      'new:packages/matchmaking/src/rules/',
      'packages/matchmaking/src/rules/registry.ts#RULE_FORMS',
      'packages/testkit/src/matchmaking/arbitraries.ts#RULE_ARBITRARIES',
      'packages/matchmaking/src/index.ts#NotEqualsRule',
      'docs/matchmaking.md#team_difference',
    ],
    atMost: 6,
  },
  {
    name: 'a queue setting',
    touches: [
      `${CORE}/queue/queue.ts#QUEUE_DEFAULTS`,
      `${CORE}/queue/faults.ts#queueFaults`,
      `${CORE}/catalog/limits.ts#MAX_PORTS`,
      `${HTTP}/wire/queue.ts#settings`,
      'docs/http-api.md#5. Queues',
    ],
    atMost: 5,
  },
  {
    name: 'a setting inside `server_settings` or `matchmaking`',
    touches: [
      `${CORE}/queue/server-settings.ts#SERVER_JUDGES`,
      `${CORE}/catalog/limits.ts#TTL_SECONDS`,
      `${HTTP}/wire/server-settings.ts#export const serverSettings`,
    ],
    atMost: 3,
  },
  {
    name: 'a field that a lobby shows, set at its creation',
    touches: [
      `${CORE}/lobby/lobby.ts#export interface Lobby {`,
      `${CORE}/lobby/new-lobby.ts#export interface LobbyDesign`,
      `${CORE}/operations/lobbies.ts#'isPrivate?'`,
      `${HTTP}/wire/lobby-bodies.ts#export const newLobby`,
      `${HTTP}/wire/lobby.ts#export const lobby`,
      'packages/client/src/lobby/lobbies.ts#CreateLobby',
    ],
    atMost: 6,
  },
  {
    name: 'a type of webhook',
    touches: [
      `${CORE}/catalog/message-types.ts#MESSAGE_OF`,
      'packages/console/src/page/rooms/settings/webhook-form.tsx#const WORDS',
      'packages/testkit/src/simulation/commit-auditor.ts#function ofMatch',
      'docs/http-api.md#**Types**: `match.found`',
    ],
    atMost: 4,
  },
  {
    name: 'a question to the storage',
    touches: [
      `${CORE}/ports/storage/storage.ts#countLive`,
      'packages/testkit/src/conformance/storage/servers.ts#countLive',
      'packages/storage-memory/src/lists.ts#countLive',
      'packages/storage-sqlite/src/statements/servers.ts#countLive',
      'packages/storage-sqlite/src/storage-over.ts#countLive',
      `${POSTGRES}/statements/servers.ts#countLive`,
      `${POSTGRES}/postgres-storage.ts#countLive`,
      'examples/custom-storage/src/lists.ts#countLive',
    ],
    atMost: 8,
  },
  {
    name: 'a domain event, and what follows from it',
    touches: [
      `${CORE}/lobby/events.ts#export type LobbyEvent =`,
      `${CORE}/lobby/decide.ts#export function decideJoinLobby`,
      `${CORE}/lobby/evolve.ts#export function evolveLobby`,
      `${CORE}/lobby/transitions.ts#LOBBY_TRANSITIONS`,
      `${CORE}/commit/follow-ups.ts#followUps`,
    ],
    atMost: 5,
  },
  {
    name: 'an endpoint',
    touches: [
      `new:${CORE}/use-cases/lobbies/`,
      `${CORE}/operations/lobbies.ts#export const lobbies`,
      `${HTTP}/routes/lobbies.ts#operation`,
      `${HTTP}/wire/lobby.ts#export const`,
      'docs/http-api.md#6. Lobbies and matches',
    ],
    atMost: 5,
  },
  {
    name: 'a job',
    touches: [
      `${CORE}/commit/jobs.ts#JOB_KINDS`,
      `${CORE}/worker/lanes.ts#LANES`,
      `${CORE}/worker/handlers.ts#JobHandler`,
      `new:${CORE}/runtime/`,
      `${CORE}/commit/follow-ups.ts#followUps`,
    ],
    atMost: 5,
  },
  {
    name: 'a PostgreSQL column',
    touches: [
      `${POSTGRES}/tables.ts#ENTITY_TABLES`,
      `${POSTGRES}/migrations/0001-initial/control-plane.ts#create table build`,
      `${POSTGRES}/statements/lists.ts#statement`,
    ],
    atMost: 3,
  },
  {
    name: 'a plan',
    touches: [
      `${CORE}/catalog/plans.ts#PLANS`,
      'docs/http-api.md#3. Billing',
      'packages/console/src/page/rooms/usage/plan.tsx#PLANS',
    ],
    atMost: 3,
  },
  { name: 'a tier of game servers', touches: [`${CORE}/catalog/tiers.ts#TIER_SIZES`], atMost: 1 },
  { name: 'a region', touches: ['packages/matchmaking/src/rules/regions.ts#REGIONS'], atMost: 1 },
  {
    name: 'an error code',
    touches: [
      `${CORE}/errors/codes/lobbies.ts#LOBBY_ERRORS`,
      `${CORE}/lobby/decide.ts#reject(`,
      `${CORE}/operations/lobbies.ts#refusals:`,
    ],
    atMost: 3,
  },
  {
    name: 'a metric',
    touches: ['packages/server/src/metrics/match-metrics.ts#new Counter', 'packages/server/README.md#matchyard_'],
    atMost: 2,
  },
  {
    name: 'a variable of the environment',
    touches: [
      'packages/server/src/config/environment.ts#environmentSchema',
      'packages/server/src/config/serve-config.ts#interface ServiceConfig',
      'docs/self-hosting.md#MATCHYARD_SECRET',
    ],
    atMost: 3,
  },
]
