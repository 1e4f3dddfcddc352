import type { Queue } from '@matchyard/client/admin'
import { useProject } from '../../data/hooks'
import { go } from '../../data/route'
import { ask, Button, Card, Status, say } from '../../ui'

/** Whether the queue takes players, and its end. */
export function QueueSwitches({ queue: { queue_id, name, enabled } }: { readonly queue: Queue }) {
  const { admin } = useProject()
  const word = enabled ? 'Disable' : 'Enable'
  const turn = async () => {
    const sure = await ask({
      title: `${word} this queue?`,
      text: enabled
        ? 'No lobby can be made in it, and no lobby can search. Those that search go on, and matches that run go on.'
        : 'Lobbies can be made in it and search again.',
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
      text: 'Its settings and its history are removed. A queue in which a lobby lives is not deleted.',
      confirm: 'Delete queue',
      danger: true,
    })
    if (!sure) return
    await admin.queues.delete(queue_id)
    say(`${name} is deleted.`)
    go('queues')
  }
  return (
    <Card title="Queue" note={enabled ? <Status tone="good">enabled</Status> : <Status tone="still">disabled</Status>}>
      <div class="line">
        <Button onClick={turn}>{word}</Button>
        <Button kind="danger" icon="trash" onClick={remove}>
          Delete
        </Button>
      </div>
    </Card>
  )
}
