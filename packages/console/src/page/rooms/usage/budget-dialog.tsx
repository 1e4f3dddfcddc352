import { useSignal } from '@preact/signals'
import { useProject } from '../../data/hooks'
import { Button, type Faults, Field, FormDialog, faultsOf, Input, NO_FAULTS, say } from '../../ui'
import { HELP } from '../../ui/help'
import { HelpLink } from '../../ui/help-link'
import { dollarsOf } from './budget'
import { money } from './month'

/** Dialog that sets or removes the budget of the project. */
export function BudgetDialog({
  of,
  onClose,
  onSaved,
}: {
  /** Present budget in dollars; null without one. */
  readonly of: number | null
  readonly onClose: () => void
  readonly onSaved: () => Promise<void>
}) {
  const { account, project } = useProject()
  const text = useSignal(of === null ? '' : `${of}`)
  const wrong = useSignal<Faults>(NO_FAULTS)
  const amount = dollarsOf(text.value)
  const put = async (monthly_usd: number | null) => {
    wrong.value = NO_FAULTS
    try {
      await account.projects.setBudget(project.project_id, { monthly_usd })
      say(monthly_usd === null ? 'The budget is removed.' : `The budget is ${money(monthly_usd)} a month.`)
      await onSaved()
    } catch (error) {
      wrong.value = faultsOf(error, ['monthly_usd'])
    }
  }
  return (
    <FormDialog
      title="Budget of the project"
      help={<HelpLink on={HELP.budget} />}
      onClose={onClose}
      confirm="Save"
      disabled={amount === undefined}
      onConfirm={() => put(amount ?? null)}
      faults={wrong.value}
    >
      <Field
        label="US dollars a month"
        hint="The month is in UTC. The service warns at 80 %, and when the forecast passes the amount. It stops no servers."
        error={wrong.value.of.monthly_usd}
      >
        {(given) => <Input {...given} value={text.value} placeholder="100" onInput={(value) => (text.value = value)} />}
      </Field>
      {of !== null && (
        <div class="line">
          <Button small kind="quiet" icon="trash" onClick={() => put(null)}>
            Remove the budget
          </Button>
        </div>
      )}
    </FormDialog>
  )
}
