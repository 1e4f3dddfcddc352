import './usage.css'
import type { Usage } from '@matchyard/client/admin'
import { useLive, useProject, useRead } from '../../data/hooks'
import { setQuery } from '../../data/route'
import { Card, counted, Figure, Figures, Page, Select, View as Shown, Text } from '../../ui'
import { now } from '../../ui/time'
import type { RoomView } from '../room'
import { BudgetCard } from './budget-card'
import { CostHistory } from './cost-history'
import { type Month, money, monthName, monthOf, projected } from './month'
import { PlanCard } from './plan'
import { rateNow } from './shares'
import { WhatRan } from './what-ran'

const MINUTE = 60_000
const HOUR = 3_600_000
const MONTHS = 6

/** Section of usage: cost of the month, shares of the cost, and the plan. */
export function View({ query }: RoomView) {
  const { account, project, session } = useProject()
  const isOwn = project.account_id === session.account.id
  const months = Array.from({ length: MONTHS }, (_, back) => monthOf(now.value, back))
  const month = months.find(({ id }) => id === query.get('month')) ?? monthOf(now.value)
  const read = useRead(() => account.usage.get(month.id), [account, month.id], { every: MINUTE })
  return (
    <Page
      title="Usage and plan"
      heardAt={read.heardAt}
      actions={
        <Select
          label="Month, in UTC"
          value={month.id}
          options={months.map((one) => [one.id, monthName(one)])}
          onChange={(id) => setQuery('month', id)}
        />
      }
    >
      <Shown of={read.now} as="cards" again={read.again}>
        {(usage) => (
          <>
            <Costs usage={usage} month={month} />
            <BudgetCard month={month} cost={isOwn ? costHere(usage, project.project_id) : undefined} />
            <WhatRan month={month} cost={costHere(usage, project.project_id)} />
            <Projects usage={usage} />
          </>
        )}
      </Shown>
      <CostHistory />
      <PlanCard />
    </Page>
  )
}

const costHere = ({ projects }: Usage, id: string): number =>
  projects.find(({ project_id }) => project_id === id)?.cost ?? 0

function Costs({ usage, month }: { readonly usage: Usage; readonly month: Month }) {
  const { project } = useProject()
  const here = costHere(usage, project.project_id)
  const servers = useLive('server')
  void servers.things.revision.value
  const isRead = servers.reading.value.is === 'ready'
  const rate = isRead ? rateNow(here, servers.things.all(), month, now.value) : undefined
  const total = usage.total_cost
  const end = projected({ total, elsewhere: total - here, rate }, month, now.value)
  const isOver = now.value >= month.to
  return (
    <Figures>
      <Figure label="This project" value={money(here)} note={isOver ? 'the whole month' : 'so far this month'} />
      <Figure
        label="All projects"
        value={money(usage.total_cost)}
        note={`${counted(usage.projects.length, 'project')} with a cost`}
      />
      <Figure
        label="Estimate for the month"
        value={isOver ? money(usage.total_cost) : end === null ? null : money(end)}
        note={
          isOver
            ? 'the month is over'
            : rate === undefined
              ? 'not enough data yet'
              : `at the current ${money(rate * HOUR)} per hour`
        }
      />
      <Figure
        label="Amount due"
        value={money(usage.balance_due)}
        note={usage.credit_applied > 0 ? `after ${money(usage.credit_applied)} of credit` : 'no credit was used'}
      />
    </Figures>
  )
}

function Projects({ usage: { projects, total_cost } }: { readonly usage: Usage }) {
  const { project } = useProject()
  if (projects.length < 2) return null
  const most = [...projects].sort((a, b) => b.cost - a.cost).slice(0, 50)
  return (
    <Card title="By project">
      <ul class="shares">
        {most.map(({ project_id, name, cost }) => (
          <li key={project_id}>
            <Text>{project_id === project.project_id ? `${name} (this project)` : name}</Text>
            <span class="share-bar">
              <span style={{ width: `${(total_cost === 0 ? 0 : (cost / total_cost) * 100).toFixed(1)}%` }} />
            </span>
            <span class="figures end">{money(cost)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
