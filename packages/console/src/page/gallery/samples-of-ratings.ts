import type { Rating } from '@matchyard/client/admin'
import { before } from './fixtures'

const rating = (rating_id: string, name: string, more: Partial<Rating> = {}): Rating => ({
  rating_id,
  name,
  model: 'plackettLuce',
  params: { beta: 25 / 6, tau: 25 / 300, limit_sigma: false },
  initial: { mu: 25, sigma: 8.333 },
  display: { base: 1_500, per_sigma: 500 },
  placement_matches: 5,
  created_at: before(86_400 * 200),
  updated_at: before(86_400 * 9),
  ...more,
})

/** Sample ratings. The queue `ranked` names the first one. */
export const RATINGS: readonly Rating[] = [
  rating('ranked', 'Ranked duel'),
  rating('teams', 'Teams <b>of four</b>', { model: 'thurstoneMostellerPart', placement_matches: 10 }),
]
