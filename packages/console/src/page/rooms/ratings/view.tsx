import type { RoomView } from '../room'
import { RatingList } from './list'
import { RatingPage } from './rating-page'

/** Section of the ratings: the list, and the page of one rating. */
export function View({ path: [id], query }: RoomView) {
  return id === undefined ? <RatingList /> : <RatingPage key={id} id={id} query={query} />
}
