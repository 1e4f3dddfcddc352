import type { Queue } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject } from '../../data/hooks'
import { go } from '../../data/route'
import { ask, Button, Card, Status, say } from '../../ui'
import { HELP } from '../../ui/help'
import { HelpLink } from '../../ui/help-link'
import { DuplicateDialog } from './duplicate-dialog'

/** Buttons that disable, enable, duplicate or delete the queue. */
export function QueueSwitches({ queue }: { readonly queue: Queue }) {
  const { queue_id, name, enabled } = queue
  const copies = useSignal(false)
  const { admin } = useProject()
  const word = enabled ? 'Disable' : 'Enable'
  const turn = async () => {
    const sure = await ask({
      title: `${word} this queue?`,
      text: enabled
        ? 'In this queue, no lobby can be created and no lobby can start a search. Searches that have started and running matches continue.'
        : 'In this queue, lobbies can be created and can search for matches again.',
      confirm: `${word} queue`,
      danger: enabled,
    })
    if (!sure) return
    await admin.queues.update(queue_id, { enabled: !enabled })
    say(`${name} is ${enabled ? 'disabled' : 'enabled'}.`)
  }
  const remove = async () => {
    const sure = await ask({
      title: 'Delete this queue?',
      text: 'The settings and the history are removed. A queue that still has lobbies cannot be deleted.',
      confirm: 'Delete queue',
      danger: true,
    })
    if (!sure) return
    await admin.queues.delete(queue_id)
    say(`${name} is deleted.`)
    go('queues')
  }
  return (
    <Card
      title="Queue"
      help={<HelpLink on={HELP.queue} />}
      note={enabled ? <Status tone="good">Enabled</Status> : <Status tone="still">Disabled</Status>}
    >
      <div class="line">
        <Button onClick={turn}>{word}</Button>
        <Button onClick={() => (copies.value = true)}>Duplicate…</Button>
        <Button kind="danger" icon="trash" onClick={remove}>
          Delete
        </Button>
      </div>
      {copies.value && <DuplicateDialog of={queue} onClose={() => (copies.value = false)} />}
    </Card>
  )
}
