import type { Account } from '../../account/account'
import type { Session } from '../../account/session'
import type { AuditEntry } from '../../audit/entry'
import type { Ban } from '../../ban/ban'
import type { Build, BuildName } from '../../build/build'
import type { Backlog } from '../../consumer/backlog'
import type { ArrivalBatch } from '../../lobby/arrival'
import type { Lobby } from '../../lobby/lobby'
import type { QueueTicket } from '../../lobby/queue-ticket'
import type { MachineRecord } from '../../machine/record'
import type { Match } from '../../match/match'
import { heldPlayers } from '../../match/roster'
import type { Invitation } from '../../member/invitation'
import type { Member } from '../../member/member'
import type { KeptProblem } from '../../problem/kept-problem'
import type { ApiKey } from '../../project/api-key'
import type { Project } from '../../project/project'
import type { Secret } from '../../project/secret'
import type { Cooldown } from '../../queue/cooldown'
import { type InviteHold, normaliseInviteCode } from '../../queue/invite-code'
import type { Queue } from '../../queue/queue'
import type { QueueVersion } from '../../queue/queue-version'
import type { Rating } from '../../rating/rating'
import type { Standing } from '../../rating/standing'
import { type GameServer, LIVE_SERVER_STATUSES, type PortMapping, transportsOf } from '../../server/game-server'
import type { JsonValue } from '../../shared/json'
import type { Instant } from '../../shared/time'
import type { Delivery } from '../../webhook/delivery'
import type { Message } from '../../webhook/message'
import type { Webhook } from '../../webhook/webhook'

/** Stored answer of a call with an idempotency key, written in the same commit as the changes of that call. */
export interface IdempotencyRecord {
  /** SHA-256 of credential, player, route and key. */
  readonly id: string
  readonly version: number
  /** SHA-256 of the request, to detect another request body under the same key. */
  readonly requestHash: string
  /** Credential that owns the record. Records of releases without bounds lack it, and count for no owner. */
  readonly owner?: string
  /** Group to which the owner belongs, a project; null without a group. */
  readonly group?: string | null
  /** Answer of the use case without secrets. With `about`: only the data that the answer needs in addition to the entity. */
  readonly answer: JsonValue
  /** Id of the entity from which a long answer is made again; absent when the record holds the whole answer. */
  readonly about?: string
  /** Size of the stored answer in UTF-8 bytes. */
  readonly bytes?: number
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** Fact that an installation stores about itself. Each name has one row. A fact is never a secret. */
export interface InstallationMark {
  readonly id: string
  readonly version: number
  readonly value: string
}

/** Every kind of stored row, with its type. Each entity has an `id` and a `version`, and is stored as plain JSON. */
export interface Entities {
  account: Account
  session: Session
  project: Project
  'api-key': ApiKey
  member: Member
  invitation: Invitation
  problem: KeptProblem
  secret: Secret
  build: Build
  'build-name': BuildName
  queue: Queue
  'queue-version': QueueVersion
  lobby: Lobby
  ticket: QueueTicket
  arrivals: ArrivalBatch
  'invite-hold': InviteHold
  cooldown: Cooldown
  ban: Ban
  rating: Rating
  standing: Standing
  match: Match
  server: GameServer
  machine: MachineRecord
  idempotency: IdempotencyRecord
  webhook: Webhook
  message: Message
  delivery: Delivery
  backlog: Backlog
  audit: AuditEntry
  installation: InstallationMark
}

export type EntityKind = keyof Entities
export const ENTITY_KINDS: readonly EntityKind[] = [
  'account',
  'session',
  'project',
  'api-key',
  'member',
  'invitation',
  'problem',
  'secret',
  'build',
  'build-name',
  'queue',
  'queue-version',
  'lobby',
  'ticket',
  'arrivals',
  'invite-hold',
  'cooldown',
  'ban',
  'rating',
  'standing',
  'match',
  'server',
  'machine',
  'idempotency',
  'webhook',
  'message',
  'delivery',
  'backlog',
  'audit',
  'installation',
]

/** Functions that return unique keys of entities. At most one entity, of all kinds, holds a key at a time. */
export const uniqueKey = {
  email: (email: string) => `email:${email}`,
  slug: (accountId: string, slug: string) => `slug:${accountId}:${slug}`,
  keyHash: (hash: string) => `key-hash:${hash}`,
  machineToken: (hash: string) => `machine-token:${hash}`,
  invitationToken: (hash: string) => `invitation-token:${hash}`,
  buildVersion: (projectId: string, name: string, version: number) => `build:${projectId}:${name}:${version}`,
  inviteCode: (projectId: string, code: string) => `invite:${projectId}:${normaliseInviteCode(code)}`,
  quickJoin: (projectId: string, key: string) => `quick-join:${projectId}:${key}`,
  /** Key of a player who is in a live match that holds its players (`Match.holdsPlayers`). */
  livePlayer: (projectId: string, playerId: string) => `playing:${projectId}:${playerId}`,
  port: (host: string, protocol: string, port: number) => `port:${host}:${protocol}:${port}`,
}

/**
 * Returns the unique keys that an entity holds while it is stored with this value. On every put an adapter replaces the entity's keys with
 * these keys; on remove it frees them. The adapter refuses a commit after which two entities would hold one key.
 */
export function uniqueKeysOf(entity: AnyEntity): readonly string[] {
  switch (entity.kind) {
    case 'account':
      return [uniqueKey.email(entity.value.email)]
    case 'project':
      return entity.value.deletedAt === null ? [uniqueKey.slug(entity.value.accountId, entity.value.slug)] : []
    case 'api-key':
      return [uniqueKey.keyHash(entity.value.hash)]
    case 'invitation':
      return [uniqueKey.invitationToken(entity.value.tokenHash)]
    case 'build':
      return [uniqueKey.buildVersion(entity.value.projectId, entity.value.name, entity.value.buildVersion)]
    case 'lobby':
      return keysOfLobby(entity.value)
    case 'invite-hold':
      return [uniqueKey.inviteCode(entity.value.projectId, entity.value.code)]
    case 'match':
      return heldPlayers(entity.value).map((playerId) => uniqueKey.livePlayer(entity.value.projectId, playerId))
    case 'server':
      return LIVE_SERVER_STATUSES.includes(entity.value.status) ? entity.value.networkPorts.flatMap(keysOfPort) : []
    case 'machine':
      return entity.value.tokenHash === undefined ? [] : [uniqueKey.machineToken(entity.value.tokenHash)]
    default:
      return []
  }
}

const keysOfPort = ({ host, protocol, externalPort }: PortMapping): readonly string[] =>
  transportsOf(protocol).map((transport) => uniqueKey.port(host, transport, externalPort))

export type AnyEntity = { [K in EntityKind]: { readonly kind: K; readonly value: Entities[K] } }[EntityKind]

const keysOfLobby = ({ projectId, inviteCode, quickJoinKey }: Lobby): readonly string[] => [
  ...(inviteCode === null ? [] : [uniqueKey.inviteCode(projectId, inviteCode)]),
  ...(quickJoinKey === undefined ? [] : [uniqueKey.quickJoin(projectId, quickJoinKey)]),
]
