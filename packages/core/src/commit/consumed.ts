import { MESSAGE_OF } from '../catalog/message-types'
import { backlogId, messageCursor, type OfBacklog, type PendingMessage } from '../consumer/backlog'
import type { DomainEvent } from '../node/domain-events'
import type { Ports } from '../ports/ports'
import { CONSUMED_TYPES, type ConsumedType, type Consumer } from '../project/consumer'
import { consumersOf, type Project } from '../project/project'
import type { Draft } from './draft'
import { putMessages } from './rows/backlog'

/** Event of a match, with its place among the events of the match in this commit. */
interface MatchTold {
  readonly matchId: string
  readonly messages: readonly PendingMessage[]
}

/**
 * Adds the events of matches to the backlogs of the project's consumers. `draft` is the complete draft of a use case, and `outgoing` is
 * committed with it. A project without consumers costs nothing.
 */
export async function addToBacklogs(ctx: Ports, draft: Draft, outgoing: Draft, project: Project): Promise<void> {
  const consumers = consumersOf(project)
  if (consumers.length === 0) return
  const wanted = matchesTold(draft, project.id).flatMap((told) =>
    consumers.flatMap((consumer) => ofConsumer(project.id, consumer, told)),
  )
  if (wanted.length === 0) return
  const stored = await ctx.storage.getMany(
    'backlog',
    wanted.map(({ of }) => backlogId(of)),
  )
  for (const { of, messages } of wanted) {
    const id = backlogId(of)
    const before = stored.find((one) => one.id === id)
    putMessages(outgoing, before, of, messages)
  }
}

/** Returns the messages about each match of the project that the draft's events cause. */
function matchesTold(draft: Draft, projectId: string): readonly MatchTold[] {
  const byMatch = new Map<string, PendingMessage[]>()
  for (const event of draft.told) {
    const type = typeOf(event)
    if (type === undefined || event.projectId !== projectId || !('match' in event)) continue
    const { id } = event.match
    const messages = byMatch.get(id) ?? []
    const version = draft.written('match', id)?.version
    if (version === undefined) throw new Error(`${id} is told of in a commit that does not write it`)
    byMatch.set(id, [...messages, { type, cursor: messageCursor(version, messages.length), at: draft.at }])
  }
  return [...byMatch].map(([matchId, messages]) => ({ matchId, messages }))
}

function typeOf(event: DomainEvent): ConsumedType | undefined {
  const type = Object.hasOwn(MESSAGE_OF, event.type) ? MESSAGE_OF[event.type as keyof typeof MESSAGE_OF] : undefined
  return CONSUMED_TYPES.find((one) => one === type)
}

function ofConsumer(projectId: string, { name, types }: Consumer, { matchId, messages }: MatchTold) {
  const of: OfBacklog = { projectId, consumer: name, matchId }
  const its = messages.filter(({ type }) => types.includes(type))
  return its.length === 0 ? [] : [{ of, messages: its }]
}
