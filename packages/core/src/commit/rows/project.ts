import type { Ports } from '../../ports/ports'
import type { Project } from '../../project/project'
import type { Draft } from '../draft'
import { followUps } from '../follow-ups'
import { type MintedKey, putKey } from './api-key'

/** A project that is usable at once. */
export interface CreatedProject {
  readonly project: Project
  /** The client key, then the server key. */
  readonly keys: readonly [MintedKey, MintedKey]
}

/** A new project of an account, without keys. */
export const putProject = (
  ctx: Ports,
  draft: Draft,
  { accountId, name, slug }: Pick<Project, 'accountId' | 'name' | 'slug'>,
): Project =>
  draft.create('project', {
    id: ctx.ids.next('prj'),
    version: 1,
    accountId,
    name,
    slug,
    createdAt: draft.at,
    updatedAt: draft.at,
    deletedAt: null,
  })

/** A new project with both its first keys. */
export function putProjectWithKeys(
  ctx: Ports,
  draft: Draft,
  design: Pick<Project, 'accountId' | 'name' | 'slug'>,
): CreatedProject {
  const project = putProject(ctx, draft, design)
  const client = putKey(ctx, draft, project, { type: 'client' })
  const server = putKey(ctx, draft, project, { type: 'server' })
  return { project, keys: [client, server] }
}

/** Ends a project: its row only serves what is left to be done and old usage. */
export function endProject(draft: Draft, project: Project): void {
  const ended = draft.update('project', project, { ...project, updatedAt: draft.at, deletedAt: draft.at })
  draft.tell({ type: 'project_deleted', projectId: project.id }).job(...followUps.projectDeleted(ended, draft.at))
}
