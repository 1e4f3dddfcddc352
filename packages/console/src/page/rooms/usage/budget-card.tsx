import type { Budget } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject, useRead } from '../../data/hooks'
import { useProblems } from '../../data/problems'
import { mayAs } from '../../data/roles'
import { href } from '../../data/route'
import { Button, Card, Shape, Text, View } from '../../ui'
import { HELP } from '../../ui/help'
import { HelpLink } from '../../ui/help-link'
import { type Amounts, barOf, toneOf } from './budget'
import { BudgetDialog } from './budget-dialog'
import { type Month, money, monthName } from './month'

const MINUTE = 60_000

/** Card with the budget of the project: the cost and the forecast of a month beside it, and its problem. */
export function BudgetCard({
  month,
  cost,
}: {
  readonly month: Month
  /** Cost of this project in the month, for a month that is over; undefined for members, who do not see the account. */
  readonly cost: number | undefined
}) {
  const { account, project } = useProject()
  const read = useRead(() => account.projects.budget(project.project_id), [account, project], { every: MINUTE })
  return (
    <View of={read.now} as="cards" again={read.again}>
      {(budget) => <Told of={budget} month={month} cost={cost} again={read.again} />}
    </View>
  )
}

interface ToldProps {
  readonly of: Budget
  readonly month: Month
  readonly cost: number | undefined
  readonly again: () => Promise<void>
}

function Told({ of, month, cost, again }: ToldProps) {
  const { project } = useProject()
  const edits = useSignal(false)
  const { monthly_usd: budget } = of
  const isNow = of.period === month.id
  const spent = isNow ? of.spent : cost
  return (
    <Card
      title="Budget"
      help={<HelpLink on={HELP.budget} />}
      note={budget === null ? 'warns, and stops no servers' : `${money(budget)} a month`}
      actions={
        mayAs(project, 'admin') && (
          <Button small onClick={() => (edits.value = true)}>
            {budget === null ? 'Set a budget' : 'Change'}
          </Button>
        )
      }
    >
      {budget === null ? (
        <p class="quiet">
          No budget. With a budget, the project has a problem when four fifths of it are spent, or when the forecast
          passes it. Webhooks report the problem.
        </p>
      ) : (
        <div class="stack">
          {spent === undefined ? (
            <p class="quiet">The account that owns the project sees the cost of earlier months.</p>
          ) : (
            <Bar of={{ budget, spent, forecast: isNow ? of.forecast : undefined }} month={monthName(month)} />
          )}
          {isNow && <OwnProblem />}
        </div>
      )}
      {edits.value && (
        <BudgetDialog
          of={budget}
          onClose={() => (edits.value = false)}
          onSaved={async () => {
            edits.value = false
            await again()
          }}
        />
      )}
    </Card>
  )
}

function Bar({ of, month }: { readonly of: Amounts; readonly month: string }) {
  const { spent, forecast, budget } = barOf(of)
  const percent = (share: number) => `${(share * 100).toFixed(1)}%`
  const words = [
    `${money(of.spent)} of ${money(of.budget)} in ${month} (${Math.round((of.spent / of.budget) * 100)} %)`,
    ...(of.forecast === undefined ? [] : [`forecast ${money(of.forecast)}, at the mean rate since yesterday`]),
  ]
  return (
    <div class="stack tight">
      <div class="line apart figures">
        {words.map((word, place) => (
          <span key={word} class={place === 0 ? '' : 'quiet'}>
            {word}
          </span>
        ))}
      </div>
      <span class={`budget-bar ${toneOf(of) ?? ''}`} role="img" aria-label={words.join('; ')}>
        <span class="forecast" style={{ width: percent(forecast) }} />
        <span class="spent" style={{ width: percent(spent) }} />
        <span class="mark" style={{ left: percent(budget) }} />
      </span>
    </div>
  )
}

/** Problem of the budget, if the service has found one. */
function OwnProblem() {
  const { value } = useProblems().now
  const own = value.is === 'ready' ? value.data.find(({ subject }) => subject.kind === 'project') : undefined
  if (own === undefined) return null
  return (
    <a class="budget-problem" href={href('problems')}>
      <Shape tone={own.severity === 'error' ? 'bad' : 'wait'} />
      <Text lines={6}>{own.sentence}</Text>
    </a>
  )
}
