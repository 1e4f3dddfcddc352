import { type ChangeKind, isChangeKind } from '@matchyard/core/ports'
import { toColumn } from '../column-text'
import { commitStatements as statements } from '../statements/commits'
import type { Call } from '../statements/statement'
import type { BatchState } from './batch-state'
import { nameOf } from './footprint'
import type { PreparedCommit } from './prepared'

/** A changed entity in the form in which the log of changes stores it. */
export type Changed = readonly [kind: ChangeKind, id: string, version: number, removed?: 1]

/**
 * Returns the statement that inserts the log's rows for the accepted commits. A commit has a row for each project that
 * it changes, with its changes in that project. A commit without changes of a project has one row.
 */
export function logWrite({ accepted, rows }: BatchState): Call {
  // First column of each entity. It is remembered for the whole batch, because a later commit may remove an entity that
  // an earlier commit of the batch inserted.
  const firsts = new Map<string, string>()
  const before = (name: string) => firsts.get(name) ?? String(rows.get(name)?.before?.counted[0])
  const logged = accepted.flatMap((commit) => {
    const [one, ...others] = changedIn(commit, firsts, before)
    const id = toColumn(commit.id)
    return [
      { id, at: commit.at, project: one?.[0] ?? null, changed: one === undefined ? null : JSON.stringify(one[1]) },
      ...others.map(([project, changed]) => ({
        id: `${id} ${project}`,
        at: commit.at,
        project,
        changed: JSON.stringify(changed),
      })),
    ]
  })
  logged.sort((a, b) => (a.id < b.id ? -1 : 1))
  return [
    statements.logCommits,
    [
      logged.map(({ id }) => id),
      logged.map(({ at }) => at),
      logged.map(({ project }) => project),
      logged.map(({ changed }) => changed),
    ],
  ]
}

function changedIn(
  { writes }: PreparedCommit,
  firsts: Map<string, string>,
  before: (name: string) => string,
): [project: string, changed: Changed[]][] {
  const projects = new Map<string, Changed[]>()
  for (const { kind, id, expected, form } of writes) {
    if (!isChangeKind(kind)) continue
    const name = nameOf(kind, id)
    // The first column is the project, except for a match: its first column is the queue key, which begins with the
    // project.
    const first = form === undefined ? before(name) : String(form.columns[0])
    firsts.set(name, first)
    const project = kind === 'match' ? first.slice(0, first.indexOf('/')) : first
    const changed: Changed = form === undefined ? [kind, id, Number(expected) + 1, 1] : [kind, id, form.version]
    const list = projects.get(project)
    if (list === undefined) projects.set(project, [changed])
    else list.push(changed)
  }
  return [...projects]
}
