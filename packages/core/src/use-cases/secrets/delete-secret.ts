import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { removeSecret } from '../../commit/rows/secret'
import { transact } from '../../commit/transact'
import { ServiceError } from '../../errors/service-error'
import type { Service } from '../../node/service'
import { noSuchSecret } from '../../project/decide'
import { secretId } from '../../project/secret'
import { requireProject } from '../../reads/require'
import type { OnSecret } from './set-secret'

/** Deletes a secret. A launch that names it fails from now on. Throws SECRET_NOT_FOUND. */
export function deleteSecret(ctx: Service, { projectId, name }: OnSecret, call?: CallOptions): Promise<void> {
  return transact(ctx, call, async () => {
    const project = await requireProject(ctx, projectId)
    const secret = await ctx.storage.get('secret', secretId(projectId, name))
    if (secret === undefined) throw ServiceError.of(noSuchSecret(projectId, name).rejected)
    const draft = new Draft(ctx.clock.now())
    removeSecret(draft, project, secret)
    return { draft, answer: undefined }
  })
}
