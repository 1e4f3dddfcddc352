import { useLive } from '../../data/hooks'
import { href } from '../../data/route'
import { Failed, Figure, Figures, Loading, number } from '../../ui'
import { now } from '../../ui/time'
import { lasting } from './trends'

const HOUR = 3_600_000
const MINUTE = 60_000

/** Shows the number of game servers by status, and the cost of the servers. */
export function ServerFigures({ cost }: { readonly cost: string | null }) {
  const { things, reading, again } = useLive('server')
  void things.revision.value
  const all = things.all()
  const { value: state } = reading
  // A count of zero is shown only when it is certain: before the first read, the number of servers is unknown.
  const isKnown = state.is === 'ready' || all.length > 0
  const count = (status: string) => all.filter((server) => server.status === status).length
  // The time is rounded to the end of the minute, so that the trend is redrawn once a minute and not each second.
  const at = now.value - (now.value % MINUTE) + MINUTE - 1
  const ran = all.flatMap(({ running_at, stopped_at }) =>
    running_at === null
      ? []
      : [[Date.parse(running_at), stopped_at === null ? Infinity : Date.parse(stopped_at)] as const],
  )
  const failed = all.filter(
    ({ status, stopped_at }) => status === 'failed' && stopped_at !== null && now.value - Date.parse(stopped_at) < HOUR,
  ).length
  const waits = all.filter(({ status_reason }) => status_reason === 'waiting_for_room').length
  if (!isKnown)
    return state.is === 'failed' ? <Failed error={state.error} again={again} /> : <Loading as="cards" count={4} />
  return (
    <Figures>
      <Figure
        label="Servers running"
        value={number(count('running'))}
        trend={lasting(ran, at)}
        href={href('servers')}
      />
      <Figure
        label="Servers launching"
        value={number(count('launching'))}
        tone={waits === 0 ? undefined : 'wait'}
        note={waits === 0 ? 'none waiting for capacity' : `${number(waits)} waiting for capacity`}
        href={href('servers')}
      />
      <Figure
        label="Servers failed"
        value={number(failed)}
        note="in the last hour"
        tone={failed === 0 ? undefined : 'bad'}
        href={failed === 0 ? href('servers') : href('problems')}
      />
      <Figure label="Cost this month" value={cost} note="all projects" href={href('usage')} />
    </Figures>
  )
}
