import type { RoomView } from '../room'
import { Find } from './find'
import { PlayerPage } from './player-page'

/** Section of the players: a search, and the page of one player. */
export function View({ path: [id], query }: RoomView) {
  return id === undefined ? <Find query={query} /> : <PlayerPage key={id} id={id} />
}
