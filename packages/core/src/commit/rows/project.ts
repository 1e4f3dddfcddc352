import type { Project } from '../../project/project'
import type { Draft } from '../draft'
import { followUps } from '../follow-ups'

/** Ends a project: its row only serves what is left to be done and old usage. */
export function endProject(draft: Draft, project: Project): void {
  const ended = draft.update('project', project, { ...project, updatedAt: draft.at, deletedAt: draft.at })
  draft.tell({ type: 'project_deleted', projectId: project.id }).job(...followUps.projectDeleted(ended, draft.at))
}
