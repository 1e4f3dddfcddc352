import type { RoomView } from '../room'
import { Find } from './find'
import { PlayerPage } from './player-page'

/** A player: where it is, what it played, and how that ended. */
export function View({ path: [id] }: RoomView) {
  return id === undefined ? <Find /> : <PlayerPage key={id} id={id} />
}
