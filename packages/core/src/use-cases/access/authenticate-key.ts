import type { Caller } from '../../access/caller'
import { unavailableInsteadOf } from '../../commit/transact'
import type { Context } from '../../context/context'
import { ServiceError } from '../../errors/service-error'
import { uniqueKey } from '../../ports/storage/index'
import { isKeyValue } from '../../project/key-value'

export type KeyCaller = Extract<Caller, { kind: 'client' | 'server' }>

/**
 * Who an API key stands for. Its row and its project's are read on every call, so a revoke that was acknowledged holds on
 * every node at once (contract §2). Throws INVALID_API_KEY.
 */
export function authenticateKey(ctx: Context, value: string): Promise<KeyCaller> {
  return unavailableInsteadOf(async () => {
    if (!isKeyValue(value)) throw invalid('it is malformed; was it cut off or mistyped?')
    const key = await ctx.storage.find('api-key', uniqueKey.keyHash(ctx.tokens.hash(value)))
    if (key === undefined) throw invalid('it is not known here')
    if (key.revokedAt !== null) throw invalid('it was revoked; mint another one')
    // A deleted project's keys are too many to be revoked in the commit that deletes it.
    const project = await ctx.storage.get('project', key.projectId)
    if (project === undefined || project.deletedAt !== null) throw invalid('its project was deleted')
    return { kind: key.type, keyId: key.id, projectId: key.projectId, accountId: key.accountId }
  })
}

const invalid = (why: string) => new ServiceError('INVALID_API_KEY', `the API key is not valid: ${why}`)
