import { Plan } from '../../commit/draft'
import { transact } from '../../commit/transact'
import type { CallOptions, Context } from '../../context/context'
import { ServiceError } from '../../errors/service-error'
import { requireOwnProject } from '../access/resolve-project'

export interface RevokeKeyInput {
  readonly accountId: string
  readonly projectId: string
  readonly keyId: string
}

/**
 * Ends a key: a request that starts after the answer fails on every node; servers that the key started go on.
 * Throws PROJECT_NOT_FOUND, KEY_NOT_FOUND, KEY_REVOKED.
 */
export function revokeKey(ctx: Context, input: RevokeKeyInput, call?: CallOptions): Promise<void> {
  return transact(ctx, call, async () => {
    const project = await requireOwnProject(ctx, input)
    const key = await ctx.storage.get('api-key', input.keyId)
    if (key === undefined || key.projectId !== project.id) {
      throw new ServiceError('KEY_NOT_FOUND', `there is no key ${JSON.stringify(input.keyId)} in ${project.id}`)
    }
    if (key.revokedAt !== null) throw new ServiceError('KEY_REVOKED', `key ${key.id} was revoked before`)
    const plan = new Plan(ctx.clock.now())
    plan.update('api-key', key, { ...key, revokedAt: plan.at })
    plan.tell({ type: 'api_key_revoked', keyId: key.id }, project.id)
    return { plan, answer: undefined }
  })
}
