import type { RoomView } from '../room'
import { ServerList } from './list'
import { ServerPage } from './server-page'

export function View({ path: [id], query }: RoomView) {
  return id === undefined ? <ServerList query={query} /> : <ServerPage key={id} id={id} query={query} />
}
