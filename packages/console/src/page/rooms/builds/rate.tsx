import type { Build } from '@matchyard/client/admin'
import { useProject, useRead } from '../../data/hooks'
import { href } from '../../data/route'
import { number } from '../../ui'
import { now } from '../../ui/time'
import { type EndCounts, endsOf, NO_ENDS, percent, versionOf } from './rates'

const DAY_MS = 86_400_000
const LOOK_MS = 60_000

/** Ends of the servers of the last 24 hours by build version; undefined until they are read. */
export function useEnds(): ReadonlyMap<string, EndCounts> | undefined {
  const { admin } = useProject()
  const read = useRead(
    async () => {
      const from = new Date(now.peek() - DAY_MS).toISOString()
      return endsOf(await admin.metrics.get({ series: 'ends', from, step: '1h' }))
    },
    [admin],
    { every: LOOK_MS },
  )
  const { value } = read.now
  return value.is === 'ready' ? value.data : undefined
}

/** Servers of a version that crashed in the last 24 hours, with a link to them: `3 of 120 crashed (2.5 %)`. */
export function Rate({
  of: build,
  ends,
}: {
  readonly of: Build
  readonly ends: ReadonlyMap<string, EndCounts> | undefined
}) {
  if (ends === undefined) return <span class="quiet">–</span>
  const { ended, crashed, notStarted } = ends.get(versionOf(build)) ?? NO_ENDS
  if (ended === 0) return <span class="quiet">none ended</span>
  const share = `${number(crashed)} of ${number(ended)} crashed (${percent(crashed, ended)})`
  return (
    <span class="rate figures">
      {crashed === 0 ? <span class="quiet">{share}</span> : <a href={endedAs(build, 'server_failed')}>{share}</a>}
      {notStarted > 0 && <a href={endedAs(build, 'launch_failed')}>{number(notStarted)} did not start</a>}
    </span>
  )
}

/** Servers of a version that crashed or did not start in the last 24 hours, in a cell: `2.5 % (3 of 120)`. */
export function ShortRate({
  of: build,
  ends,
}: {
  readonly of: Build
  readonly ends: ReadonlyMap<string, EndCounts> | undefined
}) {
  const { ended, crashed, notStarted } = ends?.get(versionOf(build)) ?? NO_ENDS
  if (ended === 0) return <span class="quiet">–</span>
  const failed = crashed + notStarted
  const share = `${percent(failed, ended)} (${number(failed)} of ${number(ended)})`
  if (failed === 0) return <span class="quiet figures">{share}</span>
  const reason = crashed >= notStarted ? 'server_failed' : 'launch_failed'
  return (
    <a class="figures" href={endedAs(build, reason)}>
      {share}
    </a>
  )
}

/** Returns the address of the list of a version's servers that ended for a cause. */
const endedAs = (build: Build, reason: string): string =>
  `${href('servers')}?${new URLSearchParams({ show: 'past', build: versionOf(build), reason })}`
