import type { Build } from '../../build/build'
import { parseImageReference } from '../../build/image-reference'
import { buildNameIssues } from '../../build/new-build'
import type { CallOptions } from '../../commit/call-options'
import { validationFailed } from '../../errors/service-error'
import type { Service } from '../../node/service'
import type { InProject } from '../../project/in-project'
import { actorOf, type ByActor } from '../../reads/actor'
import { createBuild } from './create-build'

export interface RegisterImageInput extends InProject, ByActor {
  /** Name that servers use as `versionTag`: 1 to 64 characters of a-z, A-Z, 0-9, dot, underscore and hyphen. */
  readonly name: string
  /** OCI image reference. */
  readonly imageUrl: string
}

export async function registerImage(ctx: Service, input: RegisterImageInput, call?: CallOptions): Promise<Build> {
  const parsed = parseImageReference(input.imageUrl)
  const issues = [...buildNameIssues(input.name), ...(parsed.ok ? [] : [{ path: 'imageUrl', message: parsed.fault }])]
  if (issues.length > 0) throw validationFailed(issues)
  const design = {
    name: input.name,
    status: 'processing',
    type: 'docker_image',
    executablePath: null,
    imageUrl: input.imageUrl,
    createdBy: await actorOf(ctx, input.by),
  } as const
  return createBuild(ctx, input.projectId, design, call)
}
