import type { Ports } from '../ports/ports'
import type { CrashTrend, CrashWave } from '../project/problem'
import type { GameServer } from '../server/game-server'
import { toIso } from '../shared/time'

/** Number of ended servers of a build among which crashes are counted, those that ended last. */
const WINDOW = 50
/** Minimum number of ended servers for a share. */
const LEAST = 5
/** Share of crashes that is a wave. */
const WAVE_SHARE = 0.5
/** Maximum number of builds that are examined, those whose servers crashed last. */
const BUILDS = 10
/** Difference between the shares of the two halves of the window that is a trend. */
const TREND = 0.1

/** Returns the builds of crashed servers of which at least half of the last servers crashed, by the id of the build. */
export async function wavesOf(ctx: Ports, crashed: readonly GameServer[]): Promise<ReadonlyMap<string, CrashWave>> {
  const builds = [...new Set(crashed.flatMap(({ buildId }) => buildId ?? []))].slice(0, BUILDS)
  const found = new Map<string, CrashWave>()
  for (const buildId of builds) {
    const wave = waveAmong(await ctx.storage.servers.lastEnded(buildId, WINDOW))
    if (wave !== undefined) found.set(buildId, wave)
  }
  return found
}

/** Returns the wave of crashes among ended servers, of which the last one comes first; undefined when fewer than half crashed. */
function waveAmong(ended: readonly GameServer[]): CrashWave | undefined {
  const crashes = ended.filter(hasCrashed)
  const oldest = crashes.at(-1)
  if (oldest === undefined || ended.length < LEAST || crashes.length < ended.length * WAVE_SHARE) return undefined
  return {
    crashed: crashes.length,
    ended: ended.length,
    isOfMatches: ended.every(({ matchId }) => matchId !== null),
    firstAt: oldest.stoppedAt ?? oldest.createdAt,
    trend: trendOf(ended),
  }
}

const hasCrashed = ({ status, runningAt }: GameServer): boolean => status === 'failed' && runningAt !== null

function trendOf(ended: readonly GameServer[]): CrashTrend {
  const half = Math.ceil(ended.length / 2)
  const shareOf = (some: readonly GameServer[]) => some.filter(hasCrashed).length / Math.max(1, some.length)
  const grown = shareOf(ended.slice(0, half)) - shareOf(ended.slice(half))
  if (Math.abs(grown) < TREND) return 'steady'
  return grown > 0 ? 'rising' : 'falling'
}

/** Returns a wave of crashes in words: `27 of the last 50 matches of arena v3 crashed`. */
export const waveWords = ({ crashed, ended, firstAt, isOfMatches }: CrashWave, build: string): string =>
  `${crashed} of the last ${ended} ${isOfMatches ? 'matches' : 'servers'} of ${build} crashed, the first at ${toIso(firstAt)}`
