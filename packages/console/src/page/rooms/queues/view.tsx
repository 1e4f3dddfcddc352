import type { RoomView } from '../room'
import { QueueList } from './list'
import { QueuePage } from './queue-page'

export function View({ path: [id], query }: RoomView) {
  return id === undefined ? <QueueList /> : <QueuePage key={id} id={id} query={query} />
}
