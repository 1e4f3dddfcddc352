import type { Ports } from '../../ports/ports'
import type { Project } from '../../project/project'
import type { Draft } from '../draft'
import { followUps } from '../follow-ups'
import { type MintedKey, putKey } from './api-key'

/** A new project with its first keys, ready for use. */
export interface CreatedProject {
  /** The new project. */
  readonly project: Project
  /** First the client key, then the server key. */
  readonly keys: readonly [MintedKey, MintedKey]
}

/** Adds a new project without keys. */
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

/** Adds a new project with a client key and a server key. */
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

/** Marks a project as deleted. The row is kept for the remaining clean-up and for usage figures of the past. */
export function endProject(draft: Draft, project: Project): void {
  const ended = draft.update('project', project, { ...project, updatedAt: draft.at, deletedAt: draft.at })
  draft.tell({ type: 'project_deleted', projectId: project.id }).job(...followUps.projectDeleted(ended, draft.at))
}
