import { ServiceError } from '../../errors/service-error'
import { spokenField } from '../../errors/spoken-names'
import type { Ports } from '../../ports/ports'
import { uniqueKey } from '../../ports/storage/index'
import { drawInviteCode, MAX_INVITE_DRAWS } from '../../queue/invite-code'
import type { Queue } from '../../queue/queue'

/**
 * Returns an invite code, or null when the queue has no invite codes. With `looksUp`, no lobby of the project uses the returned code.
 * Throws INVITE_CODES_EXHAUSTED.
 */
export async function drawInvite(ctx: Ports, queue: Queue, looksUp: boolean): Promise<string | null> {
  const { inviteCodeConfig, projectId } = queue
  if (!inviteCodeConfig.enabled) return null
  for (let draws = 0; draws < MAX_INVITE_DRAWS; draws++) {
    const code = drawInviteCode(inviteCodeConfig, (below) => ctx.random.int(below))
    if (!looksUp) return code
    const key = uniqueKey.inviteCode(projectId, code)
    // A code that a lobby gave up, and that may not be drawn yet, is the unique key of an `InviteHold`.
    const [lobby, hold] = await Promise.all([ctx.storage.find('lobby', key), ctx.storage.find('invite-hold', key)])
    if (lobby === undefined && hold === undefined) return code
  }
  throw new ServiceError(
    'INVITE_CODES_EXHAUSTED',
    `${MAX_INVITE_DRAWS} random invite codes were all in use; increase ${spokenField('inviteCodeConfig.length')} of queue ${queue.queueId}`,
  )
}
