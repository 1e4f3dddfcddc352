import { KEY_LIFETIME_SECONDS, MAX_KEYS, MAX_KEYS_OF_MEMBER } from '../../catalog/limits'
import { checkName } from '../../catalog/names'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { type MintedKey, putKey, withoutValue } from '../../commit/rows/api-key'
import { writeMember } from '../../commit/rows/member'
import { transact } from '../../commit/transact'
import { orThrow, validationFailed } from '../../errors/service-error'
import { decideAddKeys, leastToMint } from '../../member/decide'
import { type Member, unexpiredKeys } from '../../member/member'
import type { Service } from '../../node/service'
import { API_KEY_TYPES, type ApiKey, type ApiKeyType } from '../../project/api-key'
import { type ByPerson, liveKeysOf, requireActor } from '../../reads/members'
import { accountOf } from '../../reads/require'
import { requireFewer } from '../../reads/require-fewer'

const KEYS = { limit: 'max_keys', allowed: MAX_KEYS, what: 'key' }

/** New API key of a project. */
export interface MintKeyInput extends ByPerson {
  /** Type of the key. `client`: for games, visible to everybody. `server`: for backends, secret. */
  readonly type: ApiKeyType
  /** Name of the key, 1 to 128 characters. Default: made of the type, for instance `client key`. */
  readonly name?: string | undefined
  /** Seconds until the key expires, a whole number from 60 to 43,200. Default: the key is valid until it is revoked. */
  readonly expiresInSeconds?: number | undefined
}

export function mintKey(ctx: Service, input: MintKeyInput, call?: CallOptions): Promise<MintedKey> {
  return transact(ctx, call, async () => {
    if (!API_KEY_TYPES.includes(input.type)) {
      throw validationFailed([{ path: 'type', message: `must be one of ${API_KEY_TYPES.join(', ')}` }])
    }
    checkName(input.name)
    requireLifetime(input)
    const { type, expiresInSeconds, personId } = input
    const { project, role, member } = await requireActor(
      ctx,
      input,
      leastToMint({ type, expires: expiresInSeconds !== undefined }),
    )
    await requireFewer(await accountOf(ctx, project), KEYS, (page) => ctx.storage.apiKeys.list(project.id, page))
    const draft = new Draft(ctx.clock.now()).check('project', project)
    const minter = personId === undefined ? undefined : { mintedBy: personId, role }
    const minted = putKey(ctx, draft, project, { ...input, minter })
    if (member !== undefined) await noteKey(ctx, draft, member, minted.key)
    return { draft, answer: minted, recorded: withoutValue(minted) }
  })
}

/** Adds a server key to the record of the member who creates it. A client key only needs the member to stay one. */
async function noteKey(ctx: Service, draft: Draft, member: Member, { id, type, expiresAt }: ApiKey): Promise<void> {
  if (type === 'client') {
    draft.check('member', member)
    return
  }
  const unexpired = unexpiredKeys(member, draft.at)
  const isFull = unexpired.length >= MAX_KEYS_OF_MEMBER
  // The record does not know which keys were revoked, so the keys are read only when it seems full.
  const live = isFull ? new Set((await liveKeysOf(ctx, member, draft.at)).map((key) => key.id)) : undefined
  const kept = live === undefined ? unexpired : unexpired.filter((key) => live.has(key.id))
  const added = expiresAt === undefined ? { id } : { id, expiresAt }
  writeMember(draft, member, orThrow(decideAddKeys(kept, [added])))
}

function requireLifetime({ expiresInSeconds: seconds }: MintKeyInput): void {
  const { min, max } = KEY_LIFETIME_SECONDS
  if (seconds === undefined || (Number.isInteger(seconds) && seconds >= min && seconds <= max)) return
  throw validationFailed([{ path: 'expiresInSeconds', message: `must be a whole number from ${min} to ${max}` }])
}
