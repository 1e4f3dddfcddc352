import type { Queue } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject } from '../../data/hooks'
import { idOfName } from '../../data/id-of-name'
import { go } from '../../data/route'
import { type Faults, Field, FormDialog, faultsOf, Input, NO_FAULTS } from '../../ui'
import { settingsOf } from './queue-file'

/** Dialog for a new queue with the settings of another one. */
export function DuplicateDialog({ of: queue, onClose }: { readonly of: Queue; readonly onClose: () => void }) {
  const { admin } = useProject()
  const name = useSignal(`${queue.name} 2`)
  const id = useSignal<string | undefined>(undefined)
  const wrong = useSignal<Faults>(NO_FAULTS)
  const queueId = id.value ?? idOfName(name.value)
  const make = async () => {
    wrong.value = NO_FAULTS
    try {
      await admin.queues.create({ ...settingsOf(queue), queue_id: queueId, name: name.value.trim() } as never)
      onClose()
      go('queues', queueId)
    } catch (error) {
      wrong.value = faultsOf(error, ['queue_id', 'name'], { QUEUE_EXISTS: 'queue_id' })
    }
  }
  const { of } = wrong.value
  return (
    <FormDialog
      title="Duplicate the queue"
      onClose={onClose}
      confirm="Create queue"
      disabled={name.value.trim() === '' || queueId === ''}
      onConfirm={make}
      faults={wrong.value}
    >
      <Field label="Name" hint={`The new queue has all settings of ${queue.name}.`} error={of.name}>
        {(given) => <Input {...given} value={name.value} maxLength={128} onInput={(value) => (name.value = value)} />}
      </Field>
      <Field label="Id" hint="The id that your game uses. The id cannot be changed later." error={of.queue_id}>
        {(given) => <Input {...given} value={queueId} maxLength={64} onInput={(value) => (id.value = value)} />}
      </Field>
    </FormDialog>
  )
}
