import type { Ban, Delivery, GameServer, KeptProblem, Match, Message, MessageType, Project } from '@matchyard/core'
import { listenersTo } from '@matchyard/core/domain'
import type { Commit, Entities, EntityKind, Storage, Write } from '@matchyard/core/ports'
import { isSameResult } from './invariants/results'

interface Told {
  readonly type: MessageType
  readonly id: string
  readonly projectId: string
}

/**
 * Checks the messages to webhooks in each applied commit: every change to which webhooks may subscribe has a message
 * for each listener, and the commit contains no other messages.
 */
export class CommitAuditor {
  /** The faults found, as sentences. */
  readonly faults: string[] = []
  /** Number of committed messages for which a listener exists. */
  messages = 0

  audited(storage: Storage): Storage {
    return { ...storage, commit: (change) => this.commit(storage, change) }
  }

  private async commit(storage: Storage, change: Commit) {
    const [before, known] = [await rowsBefore(storage, change), await storage.commits.find(change.id)]
    const result = await storage.commit(change)
    // Commits are not checked if another commit changed the rows meanwhile, or if they had been applied before. The
    // versions of the rows show both cases.
    if (result.ok && !known && isAsExpected(change, before)) this.judge(change, before)
    return result
  }

  private judge(change: Commit, before: Rows): void {
    const wrong = (what: string) => this.faults.push(`commit ${change.id}: ${what}`)
    const puts = change.writes.flatMap((write) => ('put' in write ? [write] : []))
    // A message that existed before is not sent again: the commit only rewrites its text, because a player was erased.
    const messages = puts.flatMap((write) =>
      write.kind === 'message' && write.expected === 'absent' ? [write.put] : [],
    )
    const deliveries = puts.flatMap((write) => (write.kind === 'delivery' ? [write.put] : []))
    const told = toldBy(change, before)
    for (const { type, id, projectId } of told) {
      const project = before.get(`project ${projectId}`) as Project | undefined
      const rows = [...change.checks, ...change.writes]
      if (!rows.some((row) => row.kind === 'project' && row.id === projectId)) {
        wrong(`tells of ${type} and does not look at its project`)
      } else if (project !== undefined) {
        const ways = messages
          .filter((message) => message.type === type && idOf(message) === id)
          .map((message) => waysOf(message, deliveries).join())
        const listeners = listenersTo(project, type).map(({ webhookId }) => webhookId)
        const wanted = listeners.length === 0 ? [] : [[...listeners].sort().join()]
        if (ways.join(';') !== wanted.join(';')) wrong(`${type} of ${id} goes to [${ways}], and not to [${wanted}]`)
      }
    }
    this.messages += messages.length
    for (const message of messages) {
      const isOfThis = told.some(({ type, id }) => type === message.type && id === idOf(message))
      if (!isOfThis && message.type !== 'webhook.test') wrong(`tells of ${message.type}, which it does not do`)
    }
  }
}

type Rows = ReadonlyMap<string, Entities[EntityKind] | undefined>

const LOOKED_AT: readonly EntityKind[] = ['match', 'server', 'ban', 'problem', 'project']

async function rowsBefore(storage: Storage, { writes, checks }: Commit): Promise<Rows> {
  const named = [
    ...writes.filter(({ kind }) => LOOKED_AT.includes(kind)),
    ...checks.filter(({ kind }) => kind === 'project'),
  ]
  const rows = new Map<string, Entities[EntityKind] | undefined>()
  for (const { kind, id } of named) rows.set(`${kind} ${id}`, await storage.get(kind, id))
  return rows
}

const isAsExpected = ({ writes, checks }: Commit, before: Rows): boolean =>
  [...writes, ...checks].every(({ kind, id, expected }) => {
    const name = `${kind} ${id}`
    return !before.has(name) || (before.get(name)?.version ?? 'absent') === expected
  })

/**
 * Returns the changes in a commit to which webhooks may subscribe. The function compares the rows before and after the
 * commit, and does not use the core's own events.
 */
function toldBy({ writes, events, at }: Commit, before: Rows): Told[] {
  const told: Told[] = events
    .filter(({ name }) => name === 'lobby_deleted')
    .map(({ lobbyId, lobby }) => ({ type: 'lobby.deleted', id: lobbyId, projectId: lobby.projectId }))
  for (const write of writes) {
    if (write.kind === 'ban') told.push(...ofBan(write, before.get(`ban ${write.id}`) as Ban | undefined, at))
    if (!('put' in write)) continue
    const { id } = write
    if (write.kind === 'match') {
      const types = ofMatch(before.get(`match ${id}`) as Match | undefined, write.put)
      told.push(...types.map((type) => ({ type, id, projectId: write.put.projectId })))
    } else if (write.kind === 'problem') {
      const type = ofProblem(before.get(`problem ${id}`) as KeptProblem | undefined, write.put, at)
      if (type !== undefined) told.push({ type, id, projectId: write.put.projectId })
    } else if (write.kind === 'server') {
      const type = ofServer(before.get(`server ${id}`) as GameServer | undefined, write.put)
      if (type !== undefined) told.push({ type, id, projectId: write.put.projectId })
    }
  }
  return told
}

/** A ban is told when it is set or lifted. The erasure of its player and the removal of an ended ban are not told. */
function ofBan(write: Write, before: Ban | undefined, at: number): Told[] {
  if ('put' in write) {
    const { id, projectId, playerId } = write.put as Ban
    return playerId === null ? [] : [{ type: 'player.banned', id, projectId }]
  }
  const isOver = before === undefined || (before.until !== null && before.until <= at)
  return isOver ? [] : [{ type: 'player.unbanned', id: write.id, projectId: before.projectId }]
}

/** A problem that opens or closes sends a message, unless the problem is muted. */
function ofProblem(before: KeptProblem | undefined, after: KeptProblem, at: number): MessageType | undefined {
  if (after.muted !== undefined && after.muted.until > at) return undefined
  const wasOpen = before !== undefined && before.closedAt === null
  if (wasOpen === (after.closedAt === null)) return undefined
  return wasOpen ? 'problem.closed' : 'problem.opened'
}

const MADE: readonly Match['status'][] = ['launching', 'running']

function ofMatch(before: Match | undefined, after: Match): MessageType[] {
  const wasMade = before !== undefined && MADE.includes(before.status)
  const isNew = (lobbyId: string) => before?.lobbyIds.includes(lobbyId) !== true
  const types: [MessageType, boolean][] = [
    ['match.found', !wasMade && MADE.includes(after.status)],
    ['match.started', before?.status === 'launching' && after.status === 'running'],
    ['match.ended', wasMade && after.status === 'ended'],
    ['match.result', hasNewResult(before, after)],
    ['match.backfilled', wasMade && after.lobbyIds.some(isNew)],
  ]
  return types.flatMap(([type, happened]) => (happened ? [type] : []))
}

/** A result is told when it is recorded or amended. The erasure of a player from it is not told. */
const hasNewResult = (before: Match | undefined, { result }: Match): boolean =>
  result !== undefined && (before?.result === undefined || !isSameResult(before.result, result))

function ofServer(before: GameServer | undefined, after: GameServer): MessageType | undefined {
  if (before === undefined || before.status === after.status) return undefined
  const { status } = after
  return status === 'running' || status === 'stopped' || status === 'failed' ? `server.${status}` : undefined
}

function idOf({ subject }: Message): string {
  switch (subject.kind) {
    case 'match':
      return subject.match.id
    case 'lobby':
      return subject.lobby.id
    case 'server':
      return subject.server.id
    case 'build':
      return subject.build.id
    case 'player':
      return subject.ban.id
    case 'problem':
      return subject.problem.id
    case 'webhook':
      return subject.webhookId
  }
}

const waysOf = ({ id }: Message, deliveries: readonly Delivery[]): readonly string[] =>
  deliveries.flatMap(({ messageId, webhookId }) => (messageId === id ? [webhookId] : [])).sort()
