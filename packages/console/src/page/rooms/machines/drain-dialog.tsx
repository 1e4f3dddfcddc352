import type { Machine } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject } from '../../data/hooks'
import { type Faults, Field, FormDialog, faultsOf, Input, NO_FAULTS, say } from '../../ui'
import { now } from '../../ui/time'
import { minuteOf, zoneAt } from '../../ui/zone'
import { effectsOfDrain } from './effects'

const MINUTE_SECONDS = 60
const MOST_MINUTES = 10_080

interface DrainDialogProps {
  readonly machine: Machine
  /** All machines of the installation. */
  readonly machines: readonly Machine[]
  readonly onClose: () => void
  readonly onBegun: () => void
}

/** Dialog that begins a drain with or without a deadline, or replaces the deadline, and says before what it changes. */
export function DrainDialog({ machine, machines, onClose, onBegun }: DrainDialogProps) {
  const { account } = useProject()
  const minutes = useSignal(minutesLeft(machine))
  const wrong = useSignal<Faults>(NO_FAULTS)
  const isDraining = machine.status === 'draining'
  const seconds = minutes.value.trim() === '' ? undefined : Math.round(Number(minutes.value) * MINUTE_SECONDS)
  const drain = async () => {
    wrong.value = NO_FAULTS
    try {
      await account.machines.drain(machine.machine_id, seconds === undefined ? {} : { deadline: seconds })
      say(`${machine.name} is draining.`)
      onBegun()
    } catch (error) {
      wrong.value = faultsOf(error, ['deadline'])
    }
  }
  const { deadline: fault } = wrong.value.of
  return (
    <FormDialog
      title={isDraining ? 'Change the deadline?' : 'Drain this machine?'}
      onClose={onClose}
      confirm={isDraining ? 'Change deadline' : 'Drain machine'}
      kind="danger"
      onConfirm={drain}
      faults={wrong.value}
    >
      <Field
        label="Deadline in minutes"
        hint="Empty: no deadline. 0: all servers are stopped now."
        error={fault === undefined ? undefined : `must be a number from 0 to ${MOST_MINUTES.toLocaleString('en-US')}`}
      >
        {(given) => (
          <Input
            {...given}
            type="number"
            min={0}
            max={MOST_MINUTES}
            step="any"
            value={minutes.value}
            onInput={(value) => (minutes.value = value)}
          />
        )}
      </Field>
      <div class="notice">
        <ul class="machine-effects">
          {effectsOfDrain(machine, machines, endOf(seconds)).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </div>
    </FormDialog>
  )
}

/** Returns the time of a deadline as text; undefined without a deadline. */
function endOf(seconds: number | undefined): string | undefined {
  if (seconds === undefined) return undefined
  const isValid = seconds >= 0 && seconds <= MOST_MINUTES * MINUTE_SECONDS
  return isValid ? instantOf(now.value + seconds * 1_000) : 'the deadline'
}

/** Returns the minutes until the present deadline as text, rounded up; empty without a deadline. */
function minutesLeft({ status, drain_by }: Machine): string {
  if (status !== 'draining' || drain_by === null) return ''
  return `${Math.max(0, Math.ceil((Date.parse(drain_by) - now.peek()) / (MINUTE_SECONDS * 1_000)))}`
}

const instantOf = (at: number): string => `${minuteOf(at)} ${zoneAt(at)}`
