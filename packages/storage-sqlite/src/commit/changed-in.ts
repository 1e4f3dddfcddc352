import { type Commit, isChangeKind } from '@matchyard/core/ports'
import type { Changed } from '../statements/changes'
import { type CurrentRow, FIRST_COLUMN } from '../statements/entities'

/**
 * Returns the entities that a commit changes, by project. `rows` are the rows of the commit's writes, as they were
 * before the commit. All commits of a group share one row of the log of changes for each project.
 */
export function changedIn(
  { writes }: Commit,
  rows: readonly (CurrentRow | undefined)[],
): ReadonlyMap<string, Changed[]> {
  const projects = new Map<string, Changed[]>()
  const add = (projectId: string, changed: Changed) => {
    const list = projects.get(projectId)
    if (list === undefined) projects.set(projectId, [changed])
    else list.push(changed)
  }
  for (const [index, write] of writes.entries()) {
    const { kind, id } = write
    if (!isChangeKind(kind)) continue
    if (!('put' in write)) {
      // The first column is the project, except for a match: its first column is the queue key, which begins with the
      // project.
      const first = String(rows[index]?.[FIRST_COLUMN])
      add(kind === 'match' ? first.slice(0, first.indexOf('/')) : first, [kind, id, write.expected + 1, 1])
    } else if ('projectId' in write.put && write.put.projectId !== null)
      add(write.put.projectId, [kind, id, write.put.version])
  }
  return projects
}
