import { roleAllows } from '../../access/role-allows'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { endKey } from '../../commit/rows/api-key'
import { transact } from '../../commit/transact'
import { orThrow, ServiceError } from '../../errors/service-error'
import type { Service } from '../../node/service'
import { mayRevoke } from '../../project/decide'
import { type ByPerson, requireActor } from '../../reads/members'

/** API key that is revoked. */
export interface RevokeKeyInput extends ByPerson {
  /** Id of the key: `key_` and a ULID. */
  readonly keyId: string
}

export function revokeKey(ctx: Service, input: RevokeKeyInput, call?: CallOptions): Promise<void> {
  return transact(ctx, call, async () => {
    const { project, role, member } = await requireActor(ctx, input)
    const key = await ctx.storage.get('api-key', input.keyId)
    if (key === undefined || key.projectId !== project.id) {
      throw new ServiceError('KEY_NOT_FOUND', `there is no key ${JSON.stringify(input.keyId)} in ${project.id}`)
    }
    if (key.mintedBy === undefined || key.mintedBy !== input.personId) orThrow(roleAllows(role, 'admin'))
    orThrow(mayRevoke(key))
    const draft = new Draft(ctx.clock.now())
    endKey(draft, key)
    if (member !== undefined) draft.check('member', member)
    return { draft, answer: undefined }
  })
}
