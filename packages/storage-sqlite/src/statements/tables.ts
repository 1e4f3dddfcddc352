import {
  addressedAt,
  asksForWarm,
  auditLabels,
  auditScope,
  boardPlace,
  buildOutcomeOf,
  type Entities,
  type EntityKind,
  endPlaceOf,
  listedStatus,
  lobbyLabels,
  matchLabels,
  messageLabels,
  openSeats,
  openSessionsKey,
  partsOf,
  partySize,
  placeInLine,
  queueKey,
  rangesOfStanding,
  recordBytes,
  waitingQueue,
} from '@matchyard/core/ports'

export type ColumnValue = string | number | null

/**
 * Table of a kind of entity, with its columns besides `id`, `version`, `unique_keys` (if the kind has unique keys) and
 * `body`.
 */
export interface EntityTable<K extends EntityKind> {
  readonly table: string
  /** Whether entities of the kind have unique keys (see `uniqueKeysOf`). */
  readonly keyed: boolean
  readonly columns: readonly string[]
  readonly values: (entity: Entities[K]) => readonly ColumnValue[]
}

const plain = (table: string, keyed = false) => ({ table, keyed, columns: [], values: () => [] })
const flag = (value: boolean) => (value ? 1 : 0)

export const ENTITY_TABLES: { readonly [K in EntityKind]: EntityTable<K> } = {
  account: plain('account', true),
  session: {
    table: 'session',
    keyed: false,
    columns: ['open_key', 'created_at'],
    values: (session) => [openSessionsKey(session), session.createdAt],
  },
  'build-name': plain('build_name'),
  'invite-hold': plain('invite_hold', true),
  cooldown: { table: 'cooldown', keyed: false, columns: ['until'], values: (cooldown) => [cooldown.until] },
  ban: {
    table: 'ban',
    keyed: false,
    columns: ['project_id', 'created_at', 'until'],
    values: (ban) => [ban.projectId, ban.createdAt, ban.until],
  },
  rating: {
    table: 'rating',
    keyed: false,
    columns: ['project_id', 'rating_id'],
    values: (rating) => [rating.projectId, rating.ratingId],
  },
  standing: {
    table: 'standing',
    keyed: false,
    columns: ['project_id', 'rating_key', 'player_id', 'board_level', 'board_tier', 'place'],
    values(one) {
      const { level = null, tier = null } = rangesOfStanding(one) ?? {}
      return [one.projectId, one.ratingKey, one.playerId, level, tier, boardPlace(one)]
    },
  },
  idempotency: {
    table: 'idempotency',
    keyed: false,
    columns: ['expires_at', 'created_at', 'bytes', 'owner_part', 'group_part'],
    values(record) {
      const { owner, group } = partsOf(record)
      return [record.expiresAt, record.createdAt, recordBytes(record), owner, group]
    },
  },
  secret: plain('secret'),
  webhook: plain('webhook'),
  backlog: plain('backlog'),
  machine: plain('machine', true),
  installation: plain('installation'),
  message: {
    table: 'message',
    keyed: false,
    columns: ['created_at', 'labels'],
    values: (message) => [message.createdAt, JSON.stringify(messageLabels(message))],
  },
  delivery: {
    table: 'delivery',
    keyed: false,
    columns: ['webhook_id', 'message_id', 'status', 'created_at'],
    values: (d) => [d.webhookId, d.messageId, d.status, d.createdAt],
  },
  audit: {
    table: 'audit',
    keyed: false,
    columns: ['scope', 'created_at', 'addressed_at', 'labels'],
    values: (e) => [auditScope(e), e.createdAt, addressedAt(e), JSON.stringify(auditLabels(e))],
  },
  project: {
    table: 'project',
    keyed: true,
    columns: ['account_id', 'created_at', 'is_deleted'],
    values: (project) => [project.accountId, project.createdAt, flag(project.deletedAt !== null)],
  },
  'api-key': {
    table: 'api_key',
    keyed: true,
    columns: ['project_id', 'created_at'],
    values: (key) => [key.projectId, key.createdAt],
  },
  member: {
    table: 'member',
    keyed: false,
    columns: ['project_id', 'account_id'],
    values: (member) => [member.projectId, member.accountId],
  },
  invitation: {
    table: 'invitation',
    keyed: true,
    columns: ['project_id'],
    values: (invitation) => [invitation.projectId],
  },
  problem: {
    table: 'problem',
    keyed: false,
    columns: ['project_id', 'closed_at'],
    values: (problem) => [problem.projectId, problem.closedAt],
  },
  queue: {
    table: 'queue',
    keyed: false,
    columns: ['project_id', 'queue_id', 'warm'],
    values: (queue) => [queue.projectId, queue.queueId, flag(asksForWarm(queue))],
  },
  build: {
    table: 'build',
    keyed: true,
    columns: ['project_id', 'name', 'build_version', 'status', 'type', 'created_at', 'disabled'],
    values: (b) => [b.projectId, b.name, b.buildVersion, b.status, b.type, b.createdAt, flag(b.disabled === true)],
  },
  lobby: {
    table: 'lobby',
    keyed: true,
    columns: [
      'project_id',
      'queue_id',
      'status',
      'region',
      'is_private',
      'player_count',
      'created_at',
      'free_seats',
      'labels',
    ],
    values: (l) => [
      l.projectId,
      l.queueId,
      l.status,
      // The primary key of lobby_count needs a value, because two nulls are not equal.
      l.region ?? '',
      flag(l.isPrivate),
      l.players.length,
      l.createdAt,
      openSeats(l),
      JSON.stringify(lobbyLabels(l)),
    ],
  },
  'queue-version': plain('queue_version'),
  arrivals: {
    table: 'arrivals',
    keyed: false,
    columns: ['parties'],
    values: (batch) => [batch.arrivals.length],
  },
  ticket: {
    table: 'ticket',
    keyed: false,
    columns: ['queue_key', 'players'],
    values: (ticket) => [ticket.queueKey, partySize(ticket)],
  },
  match: {
    table: 'match',
    keyed: true,
    columns: ['queue_key', 'created_at', 'labels', 'project_id', 'listed', 'end_reason', 'ended_at', 'outcome'],
    values: (match) => [
      queueKey(match.projectId, match.queueId),
      match.createdAt,
      JSON.stringify(matchLabels(match)),
      match.projectId,
      listedStatus(match),
      match.ending?.reason ?? null,
      match.endedAt,
      buildOutcomeOf(match),
    ],
  },
  server: {
    table: 'server',
    keyed: true,
    columns: [
      'project_id',
      'account_id',
      'status',
      'region',
      'match_id',
      'version_tag',
      'node_id',
      'build_id',
      'end_reason',
      'end_place',
      'running_at',
      'stopped_at',
      'created_at',
      'line',
      'waiting_queue',
      'summed',
    ],
    values: (s) => [
      s.projectId,
      s.accountId,
      s.status,
      s.region,
      s.matchId,
      s.versionTag,
      s.nodeId,
      s.buildId,
      s.endReason ?? null,
      endPlaceOf(s),
      s.runningAt,
      s.stoppedAt,
      s.createdAt,
      placeInLine(s),
      waitingQueue(s),
      flag(s.stoppedAt !== null),
    ],
  },
}
