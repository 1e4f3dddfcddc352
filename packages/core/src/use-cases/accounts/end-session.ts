import { decideEndSession, noSuchSession } from '../../account/decide'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import { orThrow, ServiceError } from '../../errors/service-error'
import type { Service } from '../../node/service'

/** Session that its account ends. */
export interface EndSessionInput {
  /** Account of the session. */
  readonly accountId: string
  /** Session that ends. */
  readonly sessionId: string
}

export function endSession(ctx: Service, { accountId, sessionId }: EndSessionInput, call?: CallOptions): Promise<void> {
  return transact(ctx, call, async () => {
    const draft = new Draft(ctx.clock.now())
    const session = await ctx.storage.get('session', sessionId)
    if (session === undefined) throw ServiceError.of(noSuchSession(sessionId).rejected)
    for (const { ended } of orThrow(decideEndSession(session, accountId))) {
      draft.update('session', session, { ...session, ended })
    }
    return { draft, answer: undefined }
  })
}
