import './queues.css'
import type { Queue, QueueStats } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useLive, useProject, useRead } from '../../data/hooks'
import { href } from '../../data/route'
import { Button, type Column, Empty, LiveView, number, Page, Status, span, Table, Text } from '../../ui'
import { ImportDialog } from './import-dialog'
import { NewQueueDialog } from './new-queue'

/** Maximum number of queues whose statistics the list reads; the statistics of other queues are on their own pages. */
const READ = 25
const EVERY_MS = 5_000

/** Returns a duration in seconds as text for a table. */
export const wait = (seconds: number | null | undefined): string =>
  seconds === null || seconds === undefined ? '–' : seconds < 10 ? `${seconds.toFixed(1)} s` : span(Math.round(seconds))

/** List of the project's queues, with their statistics. */
export function QueueList() {
  const live = useLive('queue')
  const { admin } = useProject()
  const ids = live.things.rows.value.slice(0, READ).map((row) => row.peek().queue_id)
  const read = useRead(
    async () => new Map(await Promise.all(ids.map(async (id) => [id, await admin.queues.stats(id)] as const))),
    [admin, ids.join()],
    { every: EVERY_MS },
  )
  const { value } = read.now
  const columns = columnsOf(value.is === 'ready' ? value.data : new Map())
  const makes = useSignal(false)
  const imports = useSignal(false)
  const make = (
    <>
      <Button kind="quiet" onClick={() => (imports.value = true)}>
        Import…
      </Button>
      <Button kind="primary" icon="plus" onClick={() => (makes.value = true)}>
        New queue
      </Button>
    </>
  )
  const none = live.things.rows.value.length === 0
  return (
    <Page title="Queues" {...(none ? {} : { heardAt: read.heardAt, actions: make })} fill>
      <LiveView
        of={live}
        empty={
          <Empty icon="queues" title="No queue yet" action={make}>
            A queue configures lobbies, the matchmaking rules, and the game server of each match.
          </Empty>
        }
      >
        {() => (
          <Table
            label="Queues"
            rows={live.things.rows.value}
            columns={columns}
            keyOf={(queue) => queue.queue_id}
            hrefOf={(queue) => href('queues', queue.queue_id)}
          />
        )}
      </LiveView>
      {makes.value && <NewQueueDialog onClose={() => (makes.value = false)} />}
      {imports.value && <ImportDialog onClose={() => (imports.value = false)} />}
    </Page>
  )
}

function columnsOf(stats: ReadonlyMap<string, QueueStats>): readonly Column<Queue>[] {
  const figure = (id: string, title: string, of: (told: QueueStats) => string, wide = false): Column<Queue> => ({
    id,
    title,
    width: id === 'searching' ? '76px' : '96px',
    end: true,
    wide,
    cell: (queue) => {
      const told = stats.get(queue.queue_id)
      return told === undefined ? <span class="quiet">–</span> : <span class="figures">{of(told)}</span>
    },
  })
  return [
    {
      id: 'name',
      title: 'Queue',
      width: 'minmax(140px, 2fr)',
      cell: (queue) => (
        <>
          <Text>{queue.name}</Text>
          {queue.name !== queue.queue_id && (
            <>
              {' '}
              <span class="quiet small mono">{queue.queue_id.slice(0, 64)}</span>
            </>
          )}
        </>
      ),
    },
    {
      id: 'is',
      title: 'Status',
      width: '96px',
      wide: true,
      cell: (queue) => (queue.enabled ? <Status tone="good">Enabled</Status> : <Status tone="still">Disabled</Status>),
    },
    figure('searching', 'Searching', (told) => number(told.players_searching)),
    figure('p50', 'Median wait', (told) => wait(told.recent_wait_seconds.p50)),
    figure('p90', 'p90 wait', (told) => wait(told.recent_wait_seconds.p90), true),
    figure('matches', 'Matches / h', (told) => number(told.matches_last_hour), true),
    {
      id: 'rules',
      title: 'Rules',
      width: '72px',
      end: true,
      wide: true,
      cell: (queue) => number(queue.matchmaking?.rules?.length ?? 0),
    },
  ]
}
