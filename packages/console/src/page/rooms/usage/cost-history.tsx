import type { History } from '@matchyard/client/admin'
import { useMemo } from 'preact/hooks'
import { useLive, useProject, useRead } from '../../data/hooks'
import { href } from '../../data/route'
import { type ChartTime, STEP_MS, STEP_WORDS } from '../../data/slots'
import { Button, Card, Empty, Figure, Figures, Text, View } from '../../ui'
import { downloadCsv } from '../../ui/download'
import { HistoryCharts } from '../../ui/history-charts'
import { type CostByQueue, costByQueue, costRows } from './cost-by-queue'
import { money } from './month'

const SERIES = ['cost'] as const
/** Maximum number of queues whose cost is read; the cost of all other queues is one line. */
const MOST_QUEUES = 20
const EVERY_MS = 300_000

/** Cost of game servers over time: a chart, the rate per hour, and the shares of the queues as a table and as CSV. */
export const CostHistory = () => (
  <HistoryCharts title="Cost over time" series={SERIES} range="30d">
    {(history, time) => <ByQueue of={history} time={time} />}
  </HistoryCharts>
)

function ByQueue({ of: history, time }: { readonly of: History; readonly time: ChartTime }) {
  const { admin, project } = useProject()
  const queues = useLive('queue')
  const ids = queues.things.rows.value.slice(0, MOST_QUEUES).map((row) => row.peek().queue_id)
  const { from, to, step } = history
  const read = useRead(
    async () => {
      const lines: History[] = []
      // One queue after the other, so that the view takes one place of the service at a time.
      for (const queueId of ids) lines.push(await admin.metrics.get({ series: 'cost', queueId, from, to, step }))
      return lines
    },
    [admin, ids.join(), time.range.id, time.until, step],
    time.until === undefined ? { every: EVERY_MS } : {},
  )
  return (
    <View of={read.now} as="lines" again={read.again}>
      {(lines) => <Table of={costByQueue(history, lines)} history={history} slug={project.slug} />}
    </View>
  )
}

interface TableProps {
  readonly of: CostByQueue
  readonly history: History
  /** Name of the project in the name of the file. */
  readonly slug: string
}

function Table({ of, history, slug }: TableProps) {
  const { total, slots, queues } = of
  const hours = Math.max(1, (Date.parse(history.to) - Date.parse(history.from)) / STEP_MS['1h'])
  const peak = useMemo(() => Math.max(0, ...slots.map(({ cost }) => cost)), [slots])
  const save = () => downloadCsv(`${slug}-cost-${history.from.slice(0, 10)}.csv`, costRows(of))
  const each = STEP_WORDS[history.step]
  return (
    <>
      <Figures>
        <Figure label="Cost in this time" value={money(total)} />
        <Figure label="Average per hour" value={money(total / hours)} />
        <Figure label={`Highest ${each}`} value={money(peak)} />
      </Figures>
      <Card
        title="Cost by queue"
        note="A game server counts when it ends."
        actions={
          <Button small onClick={save} disabled={slots.length === 0}>
            Download CSV
          </Button>
        }
      >
        {queues.length === 0 ? (
          <Empty icon="usage" title="No game server ended in this time" />
        ) : (
          <ul class="shares">
            {queues.map(({ id, label, cost }) => (
              <li key={label}>
                {id === undefined ? (
                  <span class="quiet">{label}</span>
                ) : (
                  <a href={href('queues', id)}>
                    <Text>{label}</Text>
                  </a>
                )}
                <span class="share-bar">
                  <span style={{ width: `${((cost / Math.max(total, 1e-9)) * 100).toFixed(1)}%` }} />
                </span>
                <span class="figures end">{money(cost)}</span>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </>
  )
}
