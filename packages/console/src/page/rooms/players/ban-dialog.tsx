import type { Ban } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useLive, useProject } from '../../data/hooks'
import {
  Check,
  type Faults,
  Field,
  FormDialog,
  faultsOf,
  Input,
  NO_FAULTS,
  Select,
  say,
  Text,
  TextArea,
} from '../../ui'

const HOUR = 3_600_000
const ENDS = [
  ['never', 'Never'],
  ['1', 'In an hour'],
  ['24', 'In a day'],
  ['168', 'In seven days'],
  ['720', 'In 30 days'],
] as const
type End = (typeof ENDS)[number][0] | 'kept'

/** Dialog that bans a player. If the player is banned, the dialog replaces the ban `of`. */
export function BanDialog({
  playerId = '',
  of,
  onClose,
  onSet,
}: {
  readonly playerId?: string
  readonly of?: Ban | undefined
  readonly onClose: () => void
  readonly onSet: (ban: Ban) => void
}) {
  const { admin } = useProject()
  const { rows } = useLive('queue').things
  const player = useSignal(playerId)
  const reason = useSignal(of?.reason ?? '')
  const note = useSignal(of?.note ?? '')
  const until = of?.until ?? null
  const end = useSignal<End>(until === null ? 'never' : 'kept')
  const queues = useSignal<ReadonlySet<string>>(new Set(of?.queues ?? []))
  const wrong = useSignal<Faults>(NO_FAULTS)
  const endOf = () => {
    if (end.value === 'kept') return until
    return end.value === 'never' ? null : new Date(Date.now() + Number(end.value) * HOUR).toISOString()
  }
  const save = async () => {
    wrong.value = NO_FAULTS
    try {
      const ban = await admin.bans.set(player.value, {
        reason: reason.value.trim() === '' ? null : reason.value.trim(),
        note: note.value.trim() === '' ? null : note.value.trim(),
        until: endOf(),
        queues: queues.value.size === 0 ? null : [...queues.value],
      })
      say(`${player.value.slice(0, 64)} is banned.`)
      onSet(ban)
    } catch (error) {
      wrong.value = faultsOf(error, ['player_id', 'reason', 'note', 'until'])
    }
  }
  const toggle = (queueId: string, on: boolean) => {
    const next = new Set(queues.value)
    if (on) next.add(queueId)
    else next.delete(queueId)
    queues.value = next
  }
  return (
    <FormDialog
      title={of === undefined ? 'Ban a player' : 'Change the ban'}
      onClose={onClose}
      confirm={of === undefined ? 'Ban the player' : 'Save'}
      kind="danger"
      disabled={player.value === ''}
      onConfirm={save}
      faults={wrong.value}
    >
      {playerId === '' && (
        <Field label="Player id" error={wrong.value.of.player_id}>
          {(given) => (
            <Input {...given} value={player.value} maxLength={128} onInput={(value) => (player.value = value)} />
          )}
        </Field>
      )}
      <Field label="Reason" hint="The player may read it." error={wrong.value.of.reason}>
        {(given) => (
          <Input {...given} value={reason.value} maxLength={256} onInput={(value) => (reason.value = value)} />
        )}
      </Field>
      <Field label="Note" hint="Only your team and your backend read it." error={wrong.value.of.note}>
        {(given) => <TextArea {...given} rows={3} value={note.value} onInput={(value) => (note.value = value)} />}
      </Field>
      <Field label="End of the ban" error={wrong.value.of.until}>
        {(given) => (
          <Select
            {...given}
            value={end.value}
            options={until === null ? ENDS : [['kept', `As now: ${until.slice(0, 10)}`] as const, ...ENDS]}
            onChange={(value) => (end.value = value)}
          />
        )}
      </Field>
      <fieldset class="ban-queues">
        <legend>Only in these queues (none: the whole project)</legend>
        {rows.value.map(({ value: { queue_id, name } }) => (
          <Check key={queue_id} checked={queues.value.has(queue_id)} onChange={(on) => toggle(queue_id, on)}>
            <Text>{name}</Text>
          </Check>
        ))}
      </fieldset>
    </FormDialog>
  )
}
