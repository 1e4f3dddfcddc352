import type { Caller } from '../../access/caller'
import { isDisabled } from '../../account/decide'
import { unavailableInsteadOf } from '../../commit/transact'
import { orThrow, ServiceError } from '../../errors/service-error'
import type { Ports } from '../../ports/ports'
import { uniqueKey } from '../../ports/storage/index'
import { invalidKey, keyHolds } from '../../project/decide'
import { isKeyValue } from '../../project/key-value'

/** Caller with an API key. */
export type KeyCaller = Extract<Caller, { kind: 'client' | 'server' }>

/**
 * Returns the caller of an API key. Every call reads the rows of the key, its project and its account. A revocation thus takes effect on
 * every node as soon as it is acknowledged (docs/http-api.md §2). Throws INVALID_API_KEY.
 */
export function authenticateKey(ctx: Ports, value: string): Promise<KeyCaller> {
  return unavailableInsteadOf(async () => {
    if (!isKeyValue(value)) throw invalid('it does not have the form of an API key; it may be incomplete or mistyped')
    const key = await ctx.storage.find('api-key', uniqueKey.keyHash(ctx.tokens.hash(value)))
    if (key === undefined) throw invalid('this installation has no such key')
    const { mintedBy } = key
    const [project, account, person] = await Promise.all([
      ctx.storage.get('project', key.projectId),
      ctx.storage.get('account', key.accountId),
      mintedBy === undefined || mintedBy === key.accountId ? undefined : ctx.storage.get('account', mintedBy),
    ])
    orThrow(keyHolds(key, project, account, ctx.clock.now()))
    if (person !== undefined && isDisabled(person)) throw invalid('the account that created it is disabled')
    const auth = project?.playerAuth
    return {
      kind: key.type,
      keyId: key.id,
      projectId: key.projectId,
      accountId: key.accountId,
      ...(key.expiresAt === undefined ? {} : { expiresAt: key.expiresAt }),
      ...(auth === undefined ? {} : { playerAuth: auth }),
      ...(mintedBy === undefined ? {} : { person: mintedBy }),
      ...(key.role === undefined ? {} : { role: key.role }),
    }
  })
}

const invalid = (why: string) => ServiceError.of(invalidKey(why).rejected)
