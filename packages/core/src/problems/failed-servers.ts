import { spokenField } from '../errors/spoken-names'
import type { Ports } from '../ports/ports'
import type { CrashWave, ProjectProblem } from '../project/problem'
import type { GameServer } from '../server/game-server'
import { counted } from '../shared/counted'
import { HOUR_MS, type Instant } from '../shared/time'
import { wavesOf, waveWords } from './crash-wave'
import { sentenceOf } from './sentence'

/** Maximum failed servers that are examined, the newest first. When more servers failed, the counts are scaled up. */
const LOOKED_AT = 200
/** Minimum number of crashes that count as an error (players cannot play), if they are also at least WAVE_SHARE of the live servers. */
const WAVE = 10
const WAVE_SHARE = 0.1
/** Maximum servers that a problem names for each cause. */
const NAMED = 5

/**
 * Returns the problems of servers that failed within the last hour, grouped by queue, build version and cause. Servers that never ran and
 * servers that crashed are in separate groups.
 */
export async function failedServers(ctx: Ports, projectId: string): Promise<ProjectProblem[]> {
  const since = ctx.clock.now() - HOUR_MS
  const failed = await ctx.storage.servers.listFailed(projectId, since, LOOKED_AT)
  const oldest = failed.at(-1)
  if (oldest === undefined) return []
  const [all, live] = await Promise.all([
    ctx.storage.servers.tallyFailed(projectId, since),
    ctx.storage.servers.countLive(projectId),
  ])
  const share = Math.max(1, all.count / failed.length)
  const waves = await wavesOf(ctx, failed.filter(hasRun))
  const groups = new Map<string, GameServer[]>()
  for (const server of failed) {
    // The crashes of a wave are one problem, whatever their causes.
    const cause = waveOf(waves, server) === undefined ? alike(causeOf(server)) : null
    const key = JSON.stringify([hasRun(server), server.queueId, nameOf(server), cause])
    groups.set(key, [...(groups.get(key) ?? []), server])
  }
  return [...groups.values()].flatMap((group) => {
    const [last] = group
    if (last === undefined) return []
    const seen = Math.min(...group.map(({ stoppedAt, createdAt }) => stoppedAt ?? createdAt))
    // A group that contains the oldest examined server may have begun before that server failed.
    const began = group.includes(oldest) ? Math.min(seen, all.first ?? seen) : seen
    return [
      problemOf(last, group, {
        count: Math.round(group.length * share),
        since: began,
        live,
        wave: waveOf(waves, last),
      }),
    ]
  })
}

/** Returns the wave of crashes of the server's build; undefined for a server that never ran, and for a build without a wave. */
const waveOf = (waves: ReadonlyMap<string, CrashWave>, server: GameServer): CrashWave | undefined =>
  hasRun(server) && server.buildId !== null ? waves.get(server.buildId) : undefined

const hasRun = ({ runningAt }: GameServer): boolean => runningAt !== null

/** Number of servers with the same failure, and the instant of the first failure. */
interface Tally {
  readonly count: number
  readonly since: Instant
  /** Number of live servers of the project. */
  readonly live: number
  /** Wave of crashes of the build; undefined without one. */
  readonly wave: CrashWave | undefined
}

function problemOf(
  last: GameServer,
  group: readonly GameServer[],
  { count, since, live, wave }: Tally,
): ProjectProblem {
  const { queueId, versionTag, buildId, buildVersion, id } = last
  const cause = causeOf(last)
  const of = queueId === null || buildVersion === null ? '' : ` of ${nameOf(last)}`
  const crashed = wave === undefined ? undefined : waveWords(wave, nameOf(last))
  const what = hasRun(last)
    ? (crashed ?? `${counted(count, 'server')}${of} crashed in the last hour`)
    : `${counted(count, 'launch', 'launches')}${of} failed in the last hour`
  const isWave = wave !== undefined || (count >= WAVE && count >= live * WAVE_SHARE)
  return {
    code: hasRun(last) ? 'servers_crashed' : 'launches_failed',
    severity: hasRun(last) && !isWave ? 'warning' : 'error',
    sentence: sentenceOf(queueId ?? nameOf(last), `${what}: ${cause}`, adviceOf(last)),
    subject: queueId === null ? { kind: 'server', id } : { kind: 'queue', id: queueId },
    since,
    count,
    details: {
      ...{ cause, versionTag, instanceIds: group.slice(0, NAMED).map((server) => server.id) },
      ...(buildId === null || buildVersion === null ? {} : { buildId, buildVersion }),
      ...(wave === undefined ? {} : { wave }),
    },
  }
}

/** Returns the name of the server's build, with its version if it is known: `arena v3`. */
const nameOf = ({ versionTag, buildVersion }: GameServer): string =>
  buildVersion === null ? versionTag : `${versionTag} v${buildVersion}`

/** Returns the stop reason of the server without its error code. */
const causeOf = ({ stopReason }: GameServer): string =>
  (stopReason ?? 'the process ended without output').replace(/^[A-Z_]{4,}: /, '')

/** Returns the cause without its numbers, because ports and process ids differ between launches with the same failure. */
const alike = (cause: string): string => cause.replaceAll(/\d+/g, '#')

function adviceOf({ id, stopReason, attempt, pinnedVersion }: GameServer): string {
  if (stopReason?.startsWith('BUILD_NOT_READY') === true) {
    return pinnedVersion === undefined
      ? `Upload a build with this name, or correct ${spokenField('serverSettings.versionTag')} of the queue.`
      : `Enable this version, or change ${spokenField('serverSettings.version')} of the queue.`
  }
  if (attempt === 0) return 'Check that the nodes are running and have capacity.'
  return `Read the log of ${id}.`
}
