import { Draft } from '../commit/draft'
import { writeMessages } from '../commit/rows/backlog'
import { transact } from '../commit/transact'
import { type Backlog, type PendingMessage, withoutHandled } from '../consumer/backlog'
import type { ConsumedMessage, ConsumeHandler } from '../consumer/message'
import type { Service } from '../node/service'
import { hasConsumer } from '../project/project'
import { withServers } from '../reads/with-servers'
import { MINUTE_MS, SECOND_MS } from '../shared/time'

/** Maximum milliseconds of one call of a handler. */
export const CONSUME_WITHIN_MS = MINUTE_MS

/**
 * Gives a consumer the messages of one backlog, one after the other, until none is left. A message leaves the backlog after its handler has
 * returned, so a crash repeats the last message at most. Throws the error of the handler; the job is then retried with backoff.
 */
export async function consume(ctx: Service, id: string): Promise<number | undefined> {
  for (;;) {
    const backlog = await ctx.storage.get('backlog', id)
    const [first] = backlog?.messages ?? []
    if (backlog === undefined || first === undefined) return undefined
    const message = await messageOf(ctx, backlog, first)
    if (message === undefined) {
      await writeAfter(ctx, backlog, () => [])
      return undefined
    }
    const handler = ctx.node.consumers.handlerOf(backlog.projectId, backlog.consumer)
    // The handler was stopped after this node had claimed the job. Another node can take the job.
    if (handler === undefined) return ctx.clock.now() + SECOND_MS
    await handled(ctx, handler, message)
    const isEmpty = await writeAfter(ctx, backlog, (waiting) => withoutHandled(waiting, first))
    // The removal of the row ends this job. A later event of the match has a job of its own, which another node may run by now.
    if (isEmpty) return undefined
  }
}

/** Returns a message with its match; undefined when the match or the consumer was removed. */
async function messageOf(
  ctx: Service,
  { projectId, consumer, matchId }: Backlog,
  { type, cursor, at }: PendingMessage,
): Promise<Omit<ConsumedMessage, 'deadline'> | undefined> {
  const [project, match] = await Promise.all([ctx.storage.get('project', projectId), ctx.storage.get('match', matchId)])
  if (project === undefined || match === undefined || !hasConsumer(project, consumer)) return undefined
  const [found] = await withServers(ctx, [match])
  return { projectId, type, matchId, cursor, at, match, server: found?.server ?? null }
}

/** Calls the handler. Rejects when it fails, and when it has not ended after CONSUME_WITHIN_MS. */
async function handled(
  ctx: Service,
  handler: ConsumeHandler,
  message: Omit<ConsumedMessage, 'deadline'>,
): Promise<void> {
  const deadline = ctx.clock.now() + CONSUME_WITHIN_MS
  let cancel = () => {}
  const late = new Promise<never>((_, fail) => {
    cancel = ctx.timers.after(CONSUME_WITHIN_MS, () => {
      fail(new Error(`the handler did not end within ${CONSUME_WITHIN_MS} ms`))
    })
  })
  try {
    await Promise.race([Promise.resolve(handler({ ...message, deadline })), late])
  } finally {
    cancel()
  }
}

/** Replaces the messages of a backlog. Returns whether none is left. */
const writeAfter = (
  ctx: Service,
  { id, matchId }: Backlog,
  left: (waiting: readonly PendingMessage[]) => readonly PendingMessage[],
): Promise<boolean> =>
  transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    // A row that was removed and made again has version 1 again. The version of the match, read before, tells the two rows apart.
    const match = await ctx.storage.get('match', matchId)
    const backlog = await ctx.storage.get('backlog', id)
    const messages = backlog === undefined ? [] : left(backlog.messages)
    if (backlog !== undefined) writeMessages(draft, backlog, messages)
    if (backlog !== undefined && match !== undefined) draft.check('match', match)
    return { draft, answer: messages.length === 0 }
  })
