import { MESSAGE_OF } from '../catalog/message-types'
import { backlogId, messageCursor, type OfBacklog, type PendingMessage } from '../consumer/backlog'
import type { Ports } from '../ports/ports'
import type { Consumer } from '../project/consumer'
import { consumersOf, type Project } from '../project/project'
import type { Draft } from './draft'
import { type Leaving, toldObject } from './leaving'
import { putMessages } from './rows/backlog'

/** Event of a match, with its place among the events of the match in this commit. */
interface MatchTold {
  readonly matchId: string
  readonly messages: readonly PendingMessage[]
}

/**
 * Adds the events of matches among `leaving` to the backlogs of the project's consumers. `draft` is the complete draft of a use case, and
 * `outgoing` is committed with it. A project without consumers costs nothing.
 */
export async function addToBacklogs(
  ctx: Ports,
  draft: Draft,
  outgoing: Draft,
  project: Project,
  leaving: readonly Leaving[],
): Promise<void> {
  const consumers = consumersOf(project)
  if (consumers.length === 0) return
  const wanted = matchesTold(draft, leaving).flatMap((told) =>
    consumers.flatMap((consumer) => ofConsumer(project.id, consumer, told)),
  )
  if (wanted.length === 0) return
  const ids = wanted.map(({ of }) => backlogId(of))
  const stored = new Map((await ctx.storage.getMany('backlog', ids)).map((backlog) => [backlog.id, backlog]))
  for (const { of, messages } of wanted) putMessages(outgoing, stored.get(backlogId(of)), of, messages)
}

/** Returns the messages about each match that these events cause. */
function matchesTold(draft: Draft, leaving: readonly Leaving[]): readonly MatchTold[] {
  const byMatch = new Map<string, PendingMessage[]>()
  for (const event of leaving) {
    if (!('match' in event)) continue
    const { id } = event.match
    const messages = byMatch.get(id) ?? []
    const { version } = toldObject(draft.written('match', id), id)
    messages.push({ type: MESSAGE_OF[event.type], cursor: messageCursor(version, messages.length), at: draft.at })
    byMatch.set(id, messages)
  }
  return [...byMatch].map(([matchId, messages]) => ({ matchId, messages }))
}

function ofConsumer(projectId: string, { name, types, sinceVersion }: Consumer, { matchId, messages }: MatchTold) {
  const of: OfBacklog = { projectId, consumer: name, sinceVersion, matchId }
  const its = messages.filter(({ type }) => types.includes(type))
  return its.length === 0 ? [] : [{ of, messages: its }]
}
