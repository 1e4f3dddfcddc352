import type { MessageType } from '../catalog/message-types'
import type { DomainEvent } from '../node/domain-events'
import type { Ports } from '../ports/ports'
import { listenersTo, type Project } from '../project/project'
import { traceOf } from '../shared/trace'
import { newDelivery } from '../webhook/delivery'
import { type MessageSubject, newMessage } from '../webhook/message'
import { Draft } from './draft'
import { createMessage } from './rows/delivery'
import { serverOfMatch } from './server-of-match'

interface Leaving {
  readonly type: MessageType
  readonly kind: 'match' | 'lobby' | 'server' | 'build'
  readonly id: string
  readonly projectId: string
}

/** What leaves the house: event to message, the one table for every aggregate. */
function leavingOf(event: DomainEvent): Leaving | undefined {
  const { projectId } = event
  switch (event.type) {
    case 'match_found':
      return { type: 'match.found', kind: 'match', id: event.match.id, projectId }
    case 'match_started':
      return { type: 'match.started', kind: 'match', id: event.match.id, projectId }
    case 'match_ended':
      return { type: 'match.ended', kind: 'match', id: event.match.id, projectId }
    case 'match_backfilled':
      return { type: 'match.backfilled', kind: 'match', id: event.match.id, projectId }
    case 'lobby_deleted':
      return { type: 'lobby.deleted', kind: 'lobby', id: event.lobbyId, projectId }
    case 'server_running':
      return { type: 'server.running', kind: 'server', id: event.instanceId, projectId }
    case 'server_stopped':
      return { type: 'server.stopped', kind: 'server', id: event.instanceId, projectId }
    case 'server_failed':
      return { type: 'server.failed', kind: 'server', id: event.instanceId, projectId }
    case 'build_ready':
      return { type: 'build.ready', kind: 'build', id: event.buildId, projectId }
    case 'build_failed':
      return { type: 'build.failed', kind: 'build', id: event.buildId, projectId }
    default:
      return undefined
  }
}

/**
 * The messages of a draft that is whole: a row for each, one for each endpoint that wants it, and the check of each project's row by
 * which nobody can begin or cease to listen in between. Undefined, and nothing was read, where it has nothing to tell.
 */
export function outgoingOf(ctx: Ports, draft: Draft): Promise<Draft> | undefined {
  const leaving = draft.told.flatMap((event) => leavingOf(event) ?? [])
  return leaving.length === 0 ? undefined : messagesOf(ctx, draft, leaving)
}

async function messagesOf(ctx: Ports, draft: Draft, leaving: readonly Leaving[]): Promise<Draft> {
  const outgoing = new Draft(draft.at)
  const projects = await ctx.storage.getMany('project', [...new Set(leaving.map(({ projectId }) => projectId))])
  for (const project of projects) {
    outgoing.check('project', project)
    for (const one of leaving) if (one.projectId === project.id) await write(ctx, draft, outgoing, project, one)
  }
  return outgoing
}

async function write(ctx: Ports, draft: Draft, outgoing: Draft, project: Project, leaving: Leaving): Promise<void> {
  const listeners = listenersTo(project, leaving.type)
  if (listeners.length === 0) return
  const { type, projectId } = leaving
  const subject = await subjectOf(ctx, draft, leaving)
  const trace = traceOf(placeOf(subject) ?? draft)
  const message = newMessage({ id: ctx.ids.next('msg'), projectId, type, subject, ...trace, createdAt: draft.at })
  const deliveries = listeners.map(({ webhookId }) =>
    newDelivery({ id: ctx.ids.next('dlv'), webhookId, isAskedFor: false }, message, draft.at),
  )
  createMessage(outgoing, message, deliveries)
}

/** The match or the server, where it has its own place in a trace; what else there is has that of the call. */
function placeOf(subject: MessageSubject): { readonly trace?: string } | undefined {
  if (subject.kind === 'match') return subject.match
  return subject.kind === 'server' ? subject.server : undefined
}

/** As this commit leaves it. */
async function subjectOf(ctx: Ports, draft: Draft, { kind, id }: Leaving): Promise<MessageSubject> {
  switch (kind) {
    case 'match': {
      const match = there(draft.written('match', id), id)
      return { kind, match, server: await serverOfMatch(ctx, draft, match) }
    }
    case 'lobby':
      return { kind, lobby: there(draft.streamed(id), id) }
    case 'server':
      return { kind, server: there(draft.written('server', id), id) }
    case 'build':
      return { kind, build: { ...there(draft.written('build', id), id), logs: [] } }
  }
}

function there<T>(value: T | undefined, id: string): T {
  if (value === undefined) throw new Error(`${id} is told of in a commit that does not write it`)
  return value
}
