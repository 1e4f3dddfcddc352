import { href } from '../../data/route'
import { Card, counted, Status, Text } from '../../ui'
import type { QueueNow } from './queue-cards'

/** Whether no player searches in a queue, and nothing happened there in the last hour. */
export const isIdle = ({ stats }: QueueNow): boolean =>
  stats.players_searching === 0 &&
  stats.matches_last_hour === 0 &&
  Object.values(stats.exits_last_hour).every((count) => count === 0)

/** Links to the idle queues, in a few lines. */
export function IdleQueues({ of }: { readonly of: readonly QueueNow[] }) {
  if (of.length === 0) return null
  return (
    <Card title="Idle queues" note={`${counted(of.length, 'queue')} without players in the last hour`}>
      <ul class="idle-queues">
        {of.map(({ queue: { queue_id, name, enabled } }) => (
          <li key={queue_id} class="line">
            <a href={href('queues', queue_id)}>
              <Text>{name}</Text>
            </a>
            {!enabled && <Status tone="still">Disabled</Status>}
          </li>
        ))}
      </ul>
    </Card>
  )
}
