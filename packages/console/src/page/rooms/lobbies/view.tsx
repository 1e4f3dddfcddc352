import type { RoomView } from '../room'
import { LobbyList } from './list'
import { LobbyPage } from './lobby-page'

export function View({ path: [id], query }: RoomView) {
  return id === undefined ? <LobbyList query={query} /> : <LobbyPage key={id} id={id} />
}
