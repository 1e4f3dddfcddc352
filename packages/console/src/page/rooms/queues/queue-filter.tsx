import { useLive } from '../../data/hooks'
import { setQuery } from '../../data/route'
import { Select } from '../../ui'

/** Select that limits a list to one queue. The choice is kept in the address. */
export function QueueFilter({ queue }: { readonly queue: string }) {
  const { rows } = useLive('queue').things
  const queues = rows.value.map(({ value: { queue_id, name } }) => [queue_id, name] as const)
  return (
    <Select
      label="Queue"
      value={queue}
      onChange={(value) => setQuery('queue', value)}
      options={[['', 'All queues'], ...queues]}
    />
  )
}
