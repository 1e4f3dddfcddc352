import type { Context } from '../context/context'
import type { ProjectProblem } from '../context/problem'
import type { GameServer } from '../server/game-server'
import { counted } from '../shared/counted'
import { HOUR_MS } from '../shared/time'
import { sentenceOf } from './sentence'

/** Servers that are looked at: the last that failed. */
const LOOKED_AT = 200
/** Of each cause so many are named. */
const NAMED = 5

/** Servers that failed within the last hour, by what made them: those that never ran, and those that crashed. */
export async function failedServers(ctx: Context, projectId: string): Promise<ProjectProblem[]> {
  const failed = await ctx.storage.servers.listFailed(projectId, ctx.clock.now() - HOUR_MS, LOOKED_AT)
  const groups = new Map<string, GameServer[]>()
  for (const server of failed) {
    const key = JSON.stringify([hasRun(server), server.queueId, server.versionTag, alike(causeOf(server))])
    groups.set(key, [...(groups.get(key) ?? []), server])
  }
  return [...groups.values()].flatMap((group) => {
    const [last] = group
    return last === undefined ? [] : [problemOf(last, group)]
  })
}

const hasRun = ({ runningAt }: GameServer): boolean => runningAt !== null

function problemOf(last: GameServer, group: readonly GameServer[]): ProjectProblem {
  const { queueId, versionTag, id } = last
  const cause = causeOf(last)
  const what = hasRun(last)
    ? `${counted(group.length, 'server')} crashed in the last hour`
    : `${counted(group.length, 'launch', 'launches')} failed in the last hour`
  return {
    code: hasRun(last) ? 'servers_crashed' : 'launches_failed',
    severity: hasRun(last) ? 'warning' : 'error',
    sentence: sentenceOf(queueId ?? versionTag, `${what}: ${cause}`, adviceOf(last)),
    subject: queueId === null ? { kind: 'server', id } : { kind: 'queue', id: queueId },
    since: Math.min(...group.map(({ stoppedAt, createdAt }) => stoppedAt ?? createdAt)),
    count: group.length,
    details: { cause, versionTag, instanceIds: group.slice(0, NAMED).map((server) => server.id) },
  }
}

/** As the server says it, without the code that a program goes by. */
const causeOf = ({ stopReason }: GameServer): string =>
  (stopReason ?? 'it ended without a word').replace(/^[A-Z_]{4,}: /, '')

/** Ports and process numbers differ from launch to launch; what is wrong does not. */
const alike = (cause: string): string => cause.replaceAll(/\d+/g, '#')

function adviceOf({ id, stopReason, attempt, pinnedVersion }: GameServer): string {
  if (stopReason?.startsWith('BUILD_NOT_READY') === true) {
    return pinnedVersion === undefined
      ? 'Upload a build of that name, or correct server_settings.version_tag of the queue.'
      : 'Enable that version, or change server_settings.version of the queue.'
  }
  if (attempt === 0) return 'Look whether the nodes are up and have room.'
  return `Look into the log of ${id}.`
}
