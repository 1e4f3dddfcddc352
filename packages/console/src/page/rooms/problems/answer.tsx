import type { ProjectProblem } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject } from '../../data/hooks'
import { mayAs } from '../../data/roles'
import { Button, type Faults, Field, FormDialog, faultsOf, Input, NO_FAULTS, Select, say, TextArea } from '../../ui'

const LENGTHS = [
  ['60', 'For an hour'],
  ['480', 'For eight hours'],
  ['1440', 'For a day'],
  ['10080', 'For seven days'],
  ['43200', 'For 30 days'],
] as const
type Minutes = (typeof LENGTHS)[number][0]

interface Answered {
  readonly of: ProjectProblem
  /** Called after the service changed the problem. */
  readonly again: () => Promise<void>
}

/** Buttons that acknowledge and mute a problem; absent when the role of the person does not allow it. */
export function Answer({ of, again }: Answered) {
  const { admin, project } = useProject()
  const opened = useSignal<'acknowledge' | 'mute' | undefined>(undefined)
  const close = () => (opened.value = undefined)
  if (!mayAs(project, 'support')) return null
  const unmute = async () => {
    await admin.problems.mute(of.id, { minutes: 0 })
    say('The problem is no longer muted.')
    await again()
  }
  return (
    <span class="line">
      <Button small onClick={() => (opened.value = 'acknowledge')}>
        {of.acknowledged === null ? 'Acknowledge' : 'Change the note'}
      </Button>
      {of.muted === null ? (
        <Button small onClick={() => (opened.value = 'mute')}>
          Mute
        </Button>
      ) : (
        <Button small onClick={unmute}>
          End the mute
        </Button>
      )}
      {opened.value === 'acknowledge' && <AcknowledgeDialog of={of} again={again} onClose={close} />}
      {opened.value === 'mute' && <MuteDialog of={of} again={again} onClose={close} />}
    </span>
  )
}

function AcknowledgeDialog({ of, again, onClose }: Answered & { readonly onClose: () => void }) {
  const { admin } = useProject()
  const note = useSignal(of.acknowledged?.note ?? '')
  const wrong = useSignal<Faults>(NO_FAULTS)
  const save = async () => {
    try {
      await admin.problems.acknowledge(of.id, { note: note.value.trim() === '' ? null : note.value.trim() })
      onClose()
      say('The problem is acknowledged.')
      await again()
    } catch (error) {
      wrong.value = faultsOf(error, ['note'])
    }
  }
  return (
    <FormDialog
      title="Acknowledge this problem?"
      confirm="Acknowledge"
      onClose={onClose}
      onConfirm={save}
      faults={wrong.value}
    >
      <p>The team sees that you look after it, until the problem ends. Messages and the list stay as they are.</p>
      <Field label="Note" hint="For the team; optional." error={wrong.value.of.note}>
        {(given) => <TextArea {...given} rows={3} value={note.value} onInput={(value) => (note.value = value)} />}
      </Field>
    </FormDialog>
  )
}

function MuteDialog({ of, again, onClose }: Answered & { readonly onClose: () => void }) {
  const { admin } = useProject()
  const minutes = useSignal<Minutes>('60')
  const reason = useSignal('')
  const wrong = useSignal<Faults>(NO_FAULTS)
  const save = async () => {
    try {
      const given = reason.value.trim()
      await admin.problems.mute(of.id, { minutes: Number(minutes.value), reason: given === '' ? null : given })
      onClose()
      say('The problem is muted.')
      await again()
    } catch (error) {
      wrong.value = faultsOf(error, ['minutes', 'reason'])
    }
  }
  return (
    <FormDialog title="Mute this problem?" confirm="Mute" onClose={onClose} onConfirm={save} faults={wrong.value}>
      <p>Webhooks get no message when the problem opens or closes, and the problem is last in this list.</p>
      <Field label="Time" error={wrong.value.of.minutes}>
        {(given) => (
          <Select {...given} value={minutes.value} options={LENGTHS} onChange={(value) => (minutes.value = value)} />
        )}
      </Field>
      <Field label="Reason" hint="For the team; optional." error={wrong.value.of.reason}>
        {(given) => (
          <Input {...given} value={reason.value} maxLength={256} onInput={(value) => (reason.value = value)} />
        )}
      </Field>
    </FormDialog>
  )
}
