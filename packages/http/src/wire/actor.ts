import { ACTOR_KINDS, type Actor } from '@matchyard/core'
import { answerOf, nullable, required } from './codec/index'
import { oneOf, string } from './shared'

/** Codec of the author of a change. */
export const actor = answerOf<Actor>()({
  kind: required(oneOf(ACTOR_KINDS), 'Kind of the credential.'),
  id: required(nullable(string), 'Id of the key or the account; null without one.'),
  name: required(nullable(string), 'Name of the key; null without one.'),
})
