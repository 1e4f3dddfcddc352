import { lengthFault } from '../../account/credentials'
import { NAME_LENGTH } from '../../catalog/limits'
import { Plan } from '../../commit/draft'
import { transact } from '../../commit/transact'
import type { CallOptions, Context } from '../../context/context'
import { validationFailed } from '../../errors/service-error'
import type { ApiKey, ApiKeyType } from '../../project/api-key'
import { drawKeyValue } from '../../project/key-value'
import type { Project } from '../../project/project'
import { requireOwnProject } from '../access/resolve-project'

export interface MintKeyInput {
  readonly accountId: string
  readonly projectId: string
  readonly type: ApiKeyType
  /** 1 to 128 characters; left out, the key is named after its type. */
  readonly name?: string | undefined
}

/** A key and, this one time, its value; null where a repeated call is answered from its record. */
export interface MintedKey {
  readonly key: ApiKey
  readonly value: string | null
}

/** Makes a key of a project; its value cannot be read again. Throws VALIDATION_FAILED, PROJECT_NOT_FOUND. */
export function mintKey(ctx: Context, input: MintKeyInput, call?: CallOptions): Promise<MintedKey> {
  return transact(ctx, call, async () => {
    const fault = input.name === undefined ? undefined : lengthFault(input.name, NAME_LENGTH)
    if (fault !== undefined) throw validationFailed([{ path: 'name', message: fault }])
    const project = await requireOwnProject(ctx, input)
    const plan = new Plan(ctx.clock.now()).check('project', project)
    const minted = planKey(ctx, plan, project, input)
    return { plan, answer: minted, recorded: withoutValue(minted) }
  })
}

/** Puts a new key into a commit. */
export function planKey(
  ctx: Context,
  plan: Plan,
  project: Project,
  { type, name }: Pick<MintKeyInput, 'type' | 'name'>,
): MintedKey {
  const value = drawKeyValue(type, (below) => ctx.random.int(below))
  const key = plan.create('api-key', {
    id: ctx.ids.next('key'),
    version: 1,
    projectId: project.id,
    accountId: project.accountId,
    type,
    name: name ?? `${type} key`,
    last4: value.slice(-4),
    hash: ctx.tokens.hash(value),
    createdAt: plan.at,
    revokedAt: null,
  })
  return { key, value }
}

/** As it may be kept: a value is shown once, also to whoever repeats the call. */
export const withoutValue = ({ key }: MintedKey): MintedKey => ({ key, value: null })
