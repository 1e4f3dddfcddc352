import { KEY_LIFETIME_SECONDS, MAX_KEYS } from '../../catalog/limits'
import { checkName } from '../../catalog/names'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { type MintedKey, putKey, withoutValue } from '../../commit/rows/api-key'
import { transact } from '../../commit/transact'
import { validationFailed } from '../../errors/service-error'
import type { Service } from '../../node/service'
import { API_KEY_TYPES, type ApiKeyType } from '../../project/api-key'
import { accountOf, requireOwnProject } from '../../reads/require'
import { requireFewer } from '../../reads/require-fewer'

const KEYS = { limit: 'max_keys', allowed: MAX_KEYS, what: 'key' }

/** New API key of a project. */
export interface MintKeyInput {
  /** Account that owns the project. */
  readonly accountId: string
  /** Project of the key: `prj_` and a ULID. */
  readonly projectId: string
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
    const project = await requireOwnProject(ctx, input)
    await requireFewer(await accountOf(ctx, project), KEYS, (page) => ctx.storage.apiKeys.list(project.id, page))
    const draft = new Draft(ctx.clock.now()).check('project', project)
    const minted = putKey(ctx, draft, project, input)
    return { draft, answer: minted, recorded: withoutValue(minted) }
  })
}

function requireLifetime({ expiresInSeconds: seconds }: MintKeyInput): void {
  const { min, max } = KEY_LIFETIME_SECONDS
  if (seconds === undefined || (Number.isInteger(seconds) && seconds >= min && seconds <= max)) return
  throw validationFailed([{ path: 'expiresInSeconds', message: `must be a whole number from ${min} to ${max}` }])
}
