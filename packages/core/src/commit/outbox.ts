import { MESSAGE_OF } from '../catalog/message-types'
import type { Ports } from '../ports/ports'
import { listenersTo, type Project } from '../project/project'
import { traceOf } from '../shared/trace'
import { newDelivery } from '../webhook/delivery'
import { type MessageSubject, newMessage } from '../webhook/message'
import { addToBacklogs } from './consumed'
import { Draft } from './draft'
import { isLeaving, type Leaving, toldObject } from './leaving'
import { putMessage } from './rows/delivery'
import { serverOfMatch } from './server-of-match'

/**
 * Returns the webhook messages of a complete draft: a row for each message, and a delivery for each webhook that subscribes to it. The
 * messages of consumers are added to their backlogs. The commit checks each project's row, so that webhooks and consumers cannot change
 * before the commit. When no event needs a message, returns undefined without reading anything.
 */
export function outgoingOf(ctx: Ports, draft: Draft): Promise<Draft> | undefined {
  const leaving = draft.told.filter(isLeaving)
  return leaving.length === 0 ? undefined : messagesOf(ctx, draft, leaving)
}

async function messagesOf(ctx: Ports, draft: Draft, leaving: readonly Leaving[]): Promise<Draft> {
  const outgoing = new Draft(draft.at)
  const projects = await ctx.storage.getMany('project', [...new Set(leaving.map(({ projectId }) => projectId))])
  for (const project of projects) {
    outgoing.check('project', project)
    const its = leaving.filter(({ projectId }) => projectId === project.id)
    for (const one of its) await write(ctx, draft, outgoing, project, one)
    await addToBacklogs(ctx, draft, outgoing, project, its)
  }
  return outgoing
}

async function write(ctx: Ports, draft: Draft, outgoing: Draft, project: Project, leaving: Leaving): Promise<void> {
  const type = MESSAGE_OF[leaving.type]
  const listeners = listenersTo(project, type)
  if (listeners.length === 0) return
  const { projectId } = leaving
  const subject = await subjectOf(ctx, draft, leaving)
  const trace = traceOf(placeOf(subject) ?? draft)
  const message = newMessage({ id: ctx.ids.next('msg'), projectId, type, subject, ...trace, createdAt: draft.at })
  const deliveries = listeners.map(({ webhookId }) =>
    newDelivery({ id: ctx.ids.next('dlv'), webhookId, isAskedFor: false }, message, draft.at),
  )
  putMessage(outgoing, message, deliveries)
}

/** Returns the subject of a message if its row stores a trace context (a match or a server); otherwise undefined. */
function placeOf(subject: MessageSubject): { readonly trace?: string } | undefined {
  if (subject.kind === 'match') return subject.match
  return subject.kind === 'server' ? subject.server : undefined
}

/** Returns the subject of an event in its state after this commit. */
async function subjectOf(ctx: Ports, draft: Draft, event: Leaving): Promise<MessageSubject> {
  if ('match' in event) {
    const { id } = event.match
    const match = toldObject(draft.written('match', id), id)
    return { kind: 'match', match, server: await serverOfMatch(ctx, draft, match) }
  }
  if ('ban' in event) return { kind: 'player', ban: event.ban }
  if ('problem' in event) return { kind: 'problem', problem: event.problem }
  if ('lobbyId' in event) return { kind: 'lobby', lobby: toldObject(draft.streamed(event.lobbyId), event.lobbyId) }
  if ('instanceId' in event) {
    return { kind: 'server', server: toldObject(draft.written('server', event.instanceId), event.instanceId) }
  }
  return { kind: 'build', build: { ...toldObject(draft.written('build', event.buildId), event.buildId), logs: [] } }
}
