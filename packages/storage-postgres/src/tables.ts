import {
  addressedAt,
  asksForWarm,
  auditLabels,
  auditScope,
  boardPlace,
  buildOutcomeOf,
  ENTITY_KINDS,
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

import { placeColumn, rangeColumn } from './board-columns'
import { jsonList, toColumn } from './column-text'

export type ColumnValue = string | number | null
export interface Column {
  readonly name: string
  readonly type: 'text' | 'bigint' | 'bytea'
}

/** Table of a kind of entity, with its columns besides `id`, `version` and `body`. */
export interface EntityTable<K extends EntityKind> {
  readonly table: string
  readonly columns: readonly Column[]
  readonly values: (entity: Entities[K]) => readonly ColumnValue[]
  /** Columns that the stored totals or the log of changes need. A commit reads them from each row that it locks. */
  readonly counted: readonly string[]
}

const text = (...names: string[]): Column[] => names.map((name) => ({ name, type: 'text' }))
const number = (...names: string[]): Column[] => names.map((name) => ({ name, type: 'bigint' }))
const plain = (table: string) => ({ table, columns: [], values: () => [], counted: [] })
const flag = (value: boolean) => (value ? 1 : 0)
const orNull = (value: string | null) => (value === null ? null : toColumn(value))

export const ENTITY_TABLES: { readonly [K in EntityKind]: EntityTable<K> } = {
  account: plain('account'),
  session: {
    table: 'session',
    columns: [...text('open_key'), ...number('created_at')],
    values: (session) => [orNull(openSessionsKey(session)), session.createdAt],
    counted: [],
  },
  'build-name': plain('build_name'),
  'invite-hold': plain('invite_hold'),
  cooldown: {
    table: 'cooldown',
    columns: number('until'),
    values: (cooldown) => [cooldown.until],
    counted: [],
  },
  ban: {
    table: 'ban',
    columns: [...text('project_id'), ...number('created_at', 'until')],
    values: (ban) => [toColumn(ban.projectId), ban.createdAt, ban.until],
    counted: [],
  },
  rating: {
    table: 'rating',
    columns: text('project_id', 'rating_id'),
    values: (rating) => [toColumn(rating.projectId), toColumn(rating.ratingId)],
    counted: [],
  },
  standing: {
    table: 'standing',
    columns: [
      ...text('project_id', 'rating_key', 'player_id', 'board_level', 'board_tier'),
      { name: 'place', type: 'bytea' },
    ],
    values(one) {
      const { level = null, tier = null } = rangesOfStanding(one) ?? {}
      return [
        toColumn(one.projectId),
        toColumn(one.ratingKey),
        toColumn(one.playerId),
        level && rangeColumn(level),
        tier && rangeColumn(tier),
        placeColumn(boardPlace(one)),
      ]
    },
    counted: [],
  },
  idempotency: {
    table: 'idempotency',
    columns: [...number('expires_at', 'created_at', 'bytes'), ...text('owner_part', 'group_part')],
    values(record) {
      const { owner, group } = partsOf(record)
      return [record.expiresAt, record.createdAt, recordBytes(record), orNull(owner), orNull(group)]
    },
    counted: [],
  },
  secret: plain('secret'),
  webhook: plain('webhook'),
  backlog: plain('backlog'),
  machine: plain('machine'),
  installation: plain('installation'),
  message: {
    table: 'message',
    columns: [...number('created_at'), ...text('labels')],
    values: (message) => [message.createdAt, jsonList(messageLabels(message))],
    counted: [],
  },
  delivery: {
    table: 'delivery',
    columns: [...text('webhook_id', 'message_id', 'status'), ...number('created_at')],
    values: (d) => [toColumn(d.webhookId), toColumn(d.messageId), d.status, d.createdAt],
    counted: [],
  },
  audit: {
    table: 'audit',
    columns: [...text('scope'), ...number('created_at', 'addressed_at'), ...text('labels')],
    values: (e) => [toColumn(auditScope(e)), e.createdAt, addressedAt(e), jsonList(auditLabels(e))],
    counted: [],
  },
  project: {
    table: 'project',
    columns: [...text('account_id'), ...number('created_at', 'is_deleted')],
    values: (project) => [toColumn(project.accountId), project.createdAt, flag(project.deletedAt !== null)],
    counted: [],
  },
  'api-key': {
    table: 'api_key',
    columns: [...text('project_id'), ...number('created_at')],
    values: (key) => [toColumn(key.projectId), key.createdAt],
    counted: [],
  },
  member: {
    table: 'member',
    columns: text('project_id', 'account_id'),
    values: (member) => [toColumn(member.projectId), toColumn(member.accountId)],
    counted: [],
  },
  invitation: {
    table: 'invitation',
    columns: text('project_id'),
    values: (invitation) => [toColumn(invitation.projectId)],
    counted: [],
  },
  problem: {
    table: 'problem',
    columns: [...text('project_id'), ...number('closed_at')],
    values: (problem) => [toColumn(problem.projectId), problem.closedAt],
    counted: [],
  },
  queue: {
    table: 'queue',
    columns: [...text('project_id', 'queue_id'), ...number('warm')],
    values: (queue) => [toColumn(queue.projectId), toColumn(queue.queueId), flag(asksForWarm(queue))],
    counted: ['project_id'],
  },
  build: {
    table: 'build',
    columns: [...text('project_id', 'name', 'status', 'type'), ...number('build_version', 'created_at', 'disabled')],
    values: (b) => [
      toColumn(b.projectId),
      toColumn(b.name),
      b.status,
      b.type,
      b.buildVersion,
      b.createdAt,
      flag(b.disabled === true),
    ],
    counted: ['project_id'],
  },
  lobby: {
    table: 'lobby',
    columns: [
      ...text('project_id', 'queue_id', 'status', 'region'),
      ...number('is_private', 'player_count', 'created_at', 'free_seats'),
      ...text('labels'),
    ],
    // The region is in the primary key of lobby_count, which cannot hold null.
    values: (l) => [
      toColumn(l.projectId),
      toColumn(l.queueId),
      l.status,
      l.region ?? '',
      flag(l.isPrivate),
      l.players.length,
      l.createdAt,
      openSeats(l),
      jsonList(lobbyLabels(l)),
    ],
    counted: ['project_id', 'queue_id', 'status', 'region', 'is_private'],
  },
  'queue-version': plain('queue_version'),
  arrivals: {
    table: 'arrivals',
    columns: number('parties'),
    values: (batch) => [batch.arrivals.length],
    counted: [],
  },
  ticket: {
    table: 'ticket',
    columns: [...text('queue_key'), ...number('players')],
    values: (ticket) => [toColumn(ticket.queueKey), partySize(ticket)],
    counted: ['queue_key', 'players'],
  },
  match: {
    table: 'match',
    columns: [
      ...text('queue_key'),
      ...number('created_at'),
      ...text('labels', 'project_id', 'listed', 'end_reason'),
      ...number('ended_at'),
      ...text('outcome'),
    ],
    values: (match) => [
      toColumn(queueKey(match.projectId, match.queueId)),
      match.createdAt,
      jsonList(matchLabels(match)),
      toColumn(match.projectId),
      listedStatus(match),
      match.ending?.reason ?? null,
      match.endedAt,
      orNull(buildOutcomeOf(match)),
    ],
    counted: ['queue_key'],
  },
  server: {
    table: 'server',
    columns: [
      ...text('project_id', 'account_id', 'status', 'region', 'match_id', 'version_tag', 'node_id', 'build_id'),
      ...number('running_at', 'stopped_at', 'created_at'),
      ...text('line', 'waiting_queue'),
      ...number('summed'),
      ...text('end_reason', 'end_place'),
    ],
    values: (s) => [
      toColumn(s.projectId),
      toColumn(s.accountId),
      s.status,
      s.region,
      orNull(s.matchId),
      toColumn(s.versionTag),
      orNull(s.nodeId),
      orNull(s.buildId),
      s.runningAt,
      s.stoppedAt,
      s.createdAt,
      orNull(placeInLine(s)),
      orNull(waitingQueue(s)),
      flag(s.stoppedAt !== null),
      s.endReason ?? null,
      orNull(endPlaceOf(s)),
    ],
    counted: ['project_id', 'status', 'region'],
  },
}

/** Returns the column values of an entity. */
export function columnValues<K extends EntityKind>(kind: K, entity: Entities[K]): readonly ColumnValue[] {
  return ENTITY_TABLES[kind].values(entity)
}

/** Order of the kinds in which every commit locks and writes. */
export const KINDS_IN_ORDER: readonly EntityKind[] = [...ENTITY_KINDS].sort()
