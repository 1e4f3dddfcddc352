import { href } from '../../data/route'
import { type Column, Text } from '../../ui'

/** Column with a link to the queue. */
export const QUEUE_COLUMN: Column<{ readonly queue_id: string }> = {
  id: 'queue',
  title: 'Queue',
  width: 'minmax(80px, 1fr)',
  wide: true,
  cell: ({ queue_id }) => (
    <a href={href('queues', queue_id)}>
      <Text>{queue_id}</Text>
    </a>
  ),
}
