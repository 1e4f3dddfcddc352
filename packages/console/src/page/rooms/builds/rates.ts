import type { Build, History } from '@matchyard/client/admin'
import { partsOf } from '../../data/slots'

/** Ends of the servers of one build version in a time. */
export interface EndCounts {
  /** Number of all servers that ended. */
  readonly ended: number
  /** Number of servers with a program that crashed, or on a machine that was lost. */
  readonly crashed: number
  /** Number of servers that never ran. */
  readonly notStarted: number
}

/** Returns the ends of servers by build version, `name@version`, from the series `ends`. */
export function endsOf({ series }: Pick<History, 'series'>): ReadonlyMap<string, EndCounts> {
  const points = series.find(({ name }) => name === 'ends')?.points ?? []
  const ends = new Map<string, EndCounts>()
  for (const [part, count] of partsOf(points)) {
    const slash = part.lastIndexOf('/')
    const [version, cause] = [part.slice(0, slash), part.slice(slash + 1)]
    const { ended, crashed, notStarted } = ends.get(version) ?? NO_ENDS
    ends.set(version, {
      ended: ended + count,
      crashed: crashed + (cause === 'server_failed' ? count : 0),
      notStarted: notStarted + (cause === 'launch_failed' ? count : 0),
    })
  }
  return ends
}

export const NO_ENDS: EndCounts = { ended: 0, crashed: 0, notStarted: 0 }

/** Returns the name of a build with its version, as the service spells it: `arena@3`. */
export const versionOf = ({ name, version }: Pick<Build, 'name' | 'version'>): string => `${name}@${version}`

/** Returns a share in percent with one digit after the point, and `0 %` only when it is exactly 0. */
export function percent(part: number, whole: number): string {
  if (part === 0 || whole === 0) return '0 %'
  const share = (part / whole) * 100
  return share < 0.1 ? '< 0.1 %' : `${share.toFixed(share < 100 ? 1 : 0).replace(/\.0$/, '')} %`
}
