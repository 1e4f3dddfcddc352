import type { Project } from '../../project/project'
import { type Secret, withoutSecretNamed, withSecret } from '../../project/secret'
import type { Draft } from '../draft'

/** Sets the value of a secret, in place of `before`. The project's row lists its secrets, so it changes too. */
export function putSecret(
  draft: Draft,
  project: Project,
  secret: Omit<Secret, 'version'>,
  before: Secret | undefined,
): void {
  if (before === undefined) draft.create('secret', { ...secret, version: 1 })
  else draft.update('secret', before, secret)
  draft.update('project', project, { ...project, secrets: withSecret(project, secret.name, draft.at) })
}

/** Removes a secret and its entry in the project's row. */
export function removeSecret(draft: Draft, project: Project, secret: Secret): void {
  draft.remove('secret', secret)
  draft.update('project', project, { ...project, secrets: withoutSecretNamed(project, secret.name) })
}
