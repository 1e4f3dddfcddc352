import type { RoomView } from '../room'
import { MatchList } from './list'
import { MatchPage } from './match-page'

export function View({ path: [id], query }: RoomView) {
  return id === undefined ? <MatchList query={query} /> : <MatchPage key={id} id={id} />
}
