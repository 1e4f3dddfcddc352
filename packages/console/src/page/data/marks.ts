import type { AuditEntry, Build, ProjectProblem, Queue } from '@matchyard/client/admin'
import { firstOf, MOST_VERSIONS } from './bounded'
import { useLive, useProject, useRead } from './hooks'
import { useProblems } from './problems'
import { mayAs } from './roles'
import { href } from './route'
import type { Page } from './wire'

/** Kinds of the events that charts mark. */
export type MarkKind = 'build' | 'rules' | 'machine' | 'problem'

/** Event that charts mark: an uploaded build, a change of a queue, a machine that fails, the start of a problem. */
export interface Mark {
  readonly key: string
  readonly kind: MarkKind
  /** Instant in milliseconds since 1970. */
  readonly at: number
  readonly label: string
  readonly href: string
}

/** Maximum number of entries of the audit log that are read for marks. */
const MOST_ENTRIES = 200
const EVERY_MS = 60_000

/** Choice of the marks. */
export interface MarkScope {
  /** Only the changes of this queue. */
  readonly queueId?: string | undefined
  /** Only the versions of the build with this name. */
  readonly buildName?: string | undefined
}

/**
 * Returns the events of the project for charts, newest first. Changes of queues come from the history of the queue, or
 * from the audit log, which roles below developer may not read: they see no changes of queues there.
 */
export function useMarks({ queueId, buildName }: MarkScope = {}): readonly Mark[] {
  const { admin, project, wire } = useProject()
  const builds = useLive('build')
  const problems = useProblems().now.value
  const changes = useRead(
    async () => {
      if (queueId !== undefined) return changesOfQueue(admin.queues.history(queueId), queueId)
      if (buildName !== undefined || !mayAs(project, 'developer')) return []
      const { data } = await wire.get<Page<AuditEntry>>('/v1/audit', { limit: MOST_ENTRIES })
      return changesOfQueues(data)
    },
    [admin, project, wire, queueId, buildName],
    { every: EVERY_MS },
  ).now.value
  void builds.things.revision.value
  const all = [
    ...buildMarks(builds.things.all().filter(({ name }) => buildName === undefined || name === buildName)),
    ...(changes.is === 'ready' ? changes.data : []),
    ...(problems.is === 'ready' ? problemMarks(problems.data, { queueId, buildName }) : []),
  ]
  return all.sort((a, b) => b.at - a.at)
}

const buildMarks = (builds: readonly Build[]): readonly Mark[] =>
  builds.map(({ build_id, name, version, created_at }) => ({
    ...{ key: build_id, kind: 'build', at: Date.parse(created_at) },
    label: `Build ${name} v${version}`,
    href: href('builds', name, build_id),
  }))

async function changesOfQueue(
  versions: AsyncIterable<{ readonly version: number; readonly at: string }>,
  queueId: Queue['queue_id'],
): Promise<readonly Mark[]> {
  const to = `${href('queues', queueId)}?show=history`
  return (await firstOf(versions, MOST_VERSIONS)).map(({ version, at }) => ({
    ...{ key: `${queueId} ${version}`, kind: 'rules', at: Date.parse(at), href: to },
    label: `Settings of ${queueId}, version ${version}`,
  }))
}

/** Returns the marks for the changes of queues in entries of the audit log. */
export const changesOfQueues = (entries: readonly AuditEntry[]): readonly Mark[] =>
  entries.flatMap(({ entry_id, created_at, target }) =>
    target?.kind !== 'queue'
      ? []
      : [
          {
            ...{ key: entry_id, kind: 'rules' as const, at: Date.parse(created_at) },
            label: `Settings of ${target.id}`,
            href: `${href('queues', target.id)}?show=history`,
          },
        ],
  )

function problemMarks(problems: readonly ProjectProblem[], { queueId, buildName }: MarkScope): readonly Mark[] {
  return problems
    .filter(({ subject, details }) => {
      if (buildName !== undefined) return details.version_tag === buildName
      return queueId === undefined || subject.kind !== 'queue' || subject.id === queueId
    })
    .map(({ code, subject, sentence, since }) => ({
      key: `${code} ${subject.id} ${sentence}`,
      kind: subject.kind === 'node' ? ('machine' as const) : ('problem' as const),
      at: Date.parse(since),
      label: sentence,
      href: href('problems'),
    }))
}
