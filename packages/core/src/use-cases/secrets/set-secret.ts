import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { putSecret } from '../../commit/rows/secret'
import { transact } from '../../commit/transact'
import { orThrow, validationFailed } from '../../errors/service-error'
import type { Service } from '../../node/service'
import { mayAddSecret } from '../../project/decide'
import type { InProject } from '../../project/in-project'
import { secretFaults, secretId } from '../../project/secret'
import { requireProject } from '../../reads/require'
import { sealSecret } from '../../tokens/sealed-secret'

export interface OnSecret extends InProject {
  /** Name of the secret: 1 to 64 letters, digits and `_`, not a digit first. */
  readonly name: string
}

export interface SetSecretInput extends OnSecret {
  /** Value of 1 to 8,192 bytes. */
  readonly value: string
}

/** Sets the value of a secret. Servers that run keep the earlier value until they are started again. */
export function setSecret(ctx: Service, input: SetSecretInput, call?: CallOptions): Promise<void> {
  const { projectId, name, value } = input
  return transact(ctx, call, async () => {
    const issues = secretFaults({ name, value })
    if (issues.length > 0) throw validationFailed(issues)
    const project = await requireProject(ctx, projectId)
    orThrow(mayAddSecret(project, name))
    const draft = new Draft(ctx.clock.now())
    const id = secretId(projectId, name)
    const sealed = sealSecret(ctx.tokens, projectId, name, value)
    const secret = { id, projectId, name, valueId: ctx.ids.next('sec'), sealed }
    putSecret(draft, project, secret, await ctx.storage.get('secret', id))
    return { draft, answer: undefined }
  })
}
