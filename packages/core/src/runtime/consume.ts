import { Draft } from '../commit/draft'
import { writeMessages } from '../commit/rows/backlog'
import { transact } from '../commit/transact'
import { type Backlog, wantedOf } from '../consumer/backlog'
import type { ConsumedMessage, ConsumeHandler } from '../consumer/message'
import { inMessage } from '../match/in-message'
import type { Service } from '../node/service'
import { consumerKey } from '../project/consumer'
import { consumerOf } from '../project/project'
import { withServers } from '../reads/with-servers'
import { MINUTE_MS, SECOND_MS } from '../shared/time'

/** Maximum milliseconds of one call of a handler. */
export const CONSUME_WITHIN_MS = MINUTE_MS
/** Milliseconds until a job runs again that this node cannot carry on now. Another node can take the job. */
const LEFT_FOR_MS = SECOND_MS

type Undated = Omit<ConsumedMessage, 'deadline'>

/**
 * Gives a consumer the messages of one backlog, one after the other, until none is left. A message leaves the backlog after its handler has
 * returned, so a crash repeats the last message at most. Throws the error of the handler; the job is then retried with backoff. Returns the
 * time of the next run when the handler was stopped on this node, and when an earlier call for the same match still runs on this node.
 */
export async function consume(ctx: Service, id: string): Promise<number | undefined> {
  const { consumers } = ctx.node
  for (;;) {
    const backlog = await ctx.storage.get('backlog', id)
    if (backlog === undefined) return undefined
    const message = await firstOf(ctx, backlog)
    if (message !== undefined) {
      const handler = consumers.handlerOf(backlog.projectId, backlog.consumer)
      if (handler === undefined || consumers.calls.isRunning(id)) return ctx.clock.now() + LEFT_FOR_MS
      await handled(ctx, backlog, handler, message)
    }
    // The removal of the row ends this job. A later event of the match has a job of its own, which another node may run by now.
    if (await writeAfter(ctx, backlog, message)) return undefined
  }
}

/** Returns the first message that the consumer wants, with its match; undefined when there is none or the match was removed. */
async function firstOf(ctx: Service, backlog: Backlog): Promise<Undated | undefined> {
  const { projectId, consumer, matchId } = backlog
  const [project, match] = await Promise.all([ctx.storage.get('project', projectId), ctx.storage.get('match', matchId)])
  if (project === undefined || match === undefined) return undefined
  const [first] = wantedOf(backlog, consumerOf(project, consumer))
  if (first === undefined) return undefined
  const [found] = await withServers(ctx, [match])
  return { projectId, ...first, matchId, match: inMessage(match), server: found?.server ?? null }
}

/** Calls the handler. Rejects when it fails, and when it has not ended after CONSUME_WITHIN_MS; the call may then still run. */
async function handled(
  { node, clock, timers }: Service,
  { id, projectId, consumer }: Backlog,
  handler: ConsumeHandler,
  message: Undated,
): Promise<void> {
  const deadline = clock.now() + CONSUME_WITHIN_MS
  const call = (async () => handler({ ...message, deadline }))()
  const markOverdue = node.consumers.calls.add(consumerKey(projectId, consumer), id, call)
  let cancel = () => {}
  const late = new Promise<never>((_, fail) => {
    cancel = timers.after(CONSUME_WITHIN_MS, () => {
      markOverdue()
      fail(new Error(`the handler did not end within ${CONSUME_WITHIN_MS} ms`))
    })
  })
  try {
    await Promise.race([call, late])
  } finally {
    cancel()
  }
}

/**
 * Takes the handled message out of a backlog, with the messages that the consumer does not want. A message that replaced the handled one
 * meanwhile stays. Returns whether none is left.
 */
const writeAfter = (
  ctx: Service,
  { id, projectId, consumer, matchId }: Backlog,
  handled: Pick<Undated, 'cursor'> | undefined,
): Promise<boolean> =>
  transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    // A row that was removed and made again has version 1 again. The version of the match, read before, tells the two rows apart.
    const [project, match] = await Promise.all([
      ctx.storage.get('project', projectId),
      ctx.storage.get('match', matchId),
    ])
    const backlog = await ctx.storage.get('backlog', id)
    if (backlog === undefined) return { draft, answer: true }
    const isKept = project !== undefined && match !== undefined
    const wanted = isKept ? wantedOf(backlog, consumerOf(project, consumer)) : []
    const left = wanted.filter(({ cursor }) => cursor !== handled?.cursor)
    if (left.length === backlog.messages.length) return { draft, answer: false }
    writeMessages(draft, backlog, left)
    if (match !== undefined) draft.check('match', match)
    // The consumer was read before the backlog. A consumer that changed in between may want these messages.
    if (project !== undefined && wanted.length < backlog.messages.length) draft.check('project', project)
    return { draft, answer: left.length === 0 }
  })
