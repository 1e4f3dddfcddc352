import './now.css'
import { useMemo } from 'preact/hooks'
import { useProject, useRead } from '../../data/hooks'
import { useProblems } from '../../data/problems'
import { href } from '../../data/route'
import { Card, counted, Page, View as Shown } from '../../ui'
import { HistoryCharts } from '../../ui/history-charts'
import { ProblemList } from '../problems/problem-list'
import { FirstSteps } from '../start/first-steps'
import { money } from '../usage/month'
import { Exits } from './exits'
import { IdleQueues, isIdle } from './idle-queues'
import { QueueCards, type QueueNow } from './queue-cards'
import { ServerFigures } from './server-figures'
import { Trends } from './trends'

const LOOK_MS = 5_000
const MINUTE_MS = 60_000
/** Maximum number of queues in this view; the queues section shows all. */
const MOST = 20
/** Maximum number of problems in this view. */
const FIRST = 3

/** Series of the charts of a project. */
const CHARTS = ['searching', 'waits', 'matches', 'exits', 'servers', 'crashes', 'refusals', 'streams'] as const

/** Start page of a project: problems, first steps, servers and cost, the queues in use, idle queues, and charts. */
export function View() {
  const { account, project } = useProject()
  const trends = useMemo(() => new Trends(project.project_id), [project])
  const queues = useQueues(trends)
  const usage = useRead(() => account.usage.get(), [account], { every: MINUTE_MS })
  const { value: problems } = useProblems().now
  const troubled = new Set(problems.is === 'ready' ? problems.data.map(({ subject }) => subject.id) : [])
  const cost = usage.now.value.is === 'ready' ? money(usage.now.value.data.total_cost) : null
  return (
    <Page title="Now" heardAt={queues.heardAt}>
      <FirstProblems />
      <FirstSteps />
      <ServerFigures cost={cost} />
      <Shown of={queues.now} as="cards" again={queues.again}>
        {(all) => (
          <>
            <QueueCards
              of={troubledFirst(
                all.filter((one) => !isIdle(one)),
                troubled,
              )}
              trends={trends}
            />
            <IdleQueues of={all.filter(isIdle)} />
            {all.some((one) => !isIdle(one)) && <Exits of={all} />}
            {all.length > 0 && <HistoryCharts series={CHARTS} />}
          </>
        )}
      </Shown>
    </Page>
  )
}

/** Returns the queues with a problem before the others, each in the given order. */
const troubledFirst = (all: readonly QueueNow[], troubled: ReadonlySet<string>): readonly QueueNow[] => [
  ...all.filter(({ queue }) => troubled.has(queue.queue_id)),
  ...all.filter(({ queue }) => !troubled.has(queue.queue_id)),
]

/** Reads the queues with their statistics, most searching players first, and records the values for the trends. */
function useQueues(trends: Trends) {
  const { admin } = useProject()
  return useRead(
    async () => {
      const all: QueueNow[] = []
      for await (const queue of admin.queues.list()) {
        all.push({ queue, stats: await admin.queues.stats(queue.queue_id) })
        if (all.length === MOST) break
      }
      for (const { queue, stats } of all) note(trends, queue.queue_id, stats)
      trends.keep()
      return all.sort((a, b) => b.stats.players_searching - a.stats.players_searching)
    },
    [admin, trends],
    { every: LOOK_MS },
  )
}

function note(
  trends: Trends,
  id: string,
  { players_searching, recent_wait_seconds: { p50, p90 } }: QueueNow['stats'],
): void {
  const at = Date.now()
  trends.note(`searching ${id}`, players_searching, at)
  if (p50 !== null) trends.note(`p50 ${id}`, p50, at)
  if (p90 !== null) trends.note(`p90 ${id}`, p90, at)
}

function FirstProblems() {
  const { value } = useProblems().now
  if (value.is !== 'ready' || value.data.length === 0) return null
  return (
    <Card
      title="Problems"
      note={counted(value.data.length, 'problem')}
      flush
      actions={
        <a class="small" href={href('problems')}>
          All problems
        </a>
      }
    >
      <ProblemList of={value.data.slice(0, FIRST)} />
    </Card>
  )
}
