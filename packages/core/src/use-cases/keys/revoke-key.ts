import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { endKey } from '../../commit/rows/api-key'
import { transact } from '../../commit/transact'
import { orThrow, ServiceError } from '../../errors/service-error'
import type { Service } from '../../node/service'
import { mayRevoke } from '../../project/decide'
import { requireOwnProject } from '../../reads/require'

/** API key that is revoked. */
export interface RevokeKeyInput {
  /** Account that owns the project. */
  readonly accountId: string
  /** Project of the key: `prj_` and a ULID. */
  readonly projectId: string
  /** Id of the key: `key_` and a ULID. */
  readonly keyId: string
}

export function revokeKey(ctx: Service, input: RevokeKeyInput, call?: CallOptions): Promise<void> {
  return transact(ctx, call, async () => {
    const project = await requireOwnProject(ctx, input)
    const key = await ctx.storage.get('api-key', input.keyId)
    if (key === undefined || key.projectId !== project.id) {
      throw new ServiceError('KEY_NOT_FOUND', `there is no key ${JSON.stringify(input.keyId)} in ${project.id}`)
    }
    orThrow(mayRevoke(key))
    const draft = new Draft(ctx.clock.now())
    endKey(draft, key)
    return { draft, answer: undefined }
  })
}
