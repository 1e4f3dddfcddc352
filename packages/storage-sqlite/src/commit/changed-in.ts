import { type Commit, isChangeKind } from '@matchyard/core/ports'
import type { Changed } from '../statements/changes'
import { type CurrentRow, FIRST_COLUMN } from '../statements/entities'

/** What a commit changes in which project; `rows` are those of its writes as they were. Commits of one group share a row for each project. */
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
      // The project comes first among the columns of all kinds but the match, whose queue's key begins with it.
      const first = String(rows[index]?.[FIRST_COLUMN])
      add(kind === 'match' ? first.slice(0, first.indexOf('/')) : first, [kind, id, write.expected + 1, 1])
    } else if ('projectId' in write.put) add(write.put.projectId, [kind, id, write.put.version])
  }
  return projects
}
