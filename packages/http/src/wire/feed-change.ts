import { z } from '@hono/zod-openapi'
import type { FeedChange } from '@matchyard/core'
import { CHANGE_KINDS, type ChangeKind } from '@matchyard/core/ports'
import { build } from './build'
import { type AnswerCodec, answerOf, optional, plain, queryOf, required, told } from './codec/index'
import { lobby } from './lobby'
import { match } from './match'
import { queue } from './queue'
import { server } from './server'
import { oneOf, string } from './shared'

const RULE = `must be one or more of ${CHANGE_KINDS.join(', ')}, with commas between`
const isKind = (word: string): word is ChangeKind => (CHANGE_KINDS as readonly string[]).includes(word)

const kindsInQuery = z
  .string()
  .refine((text) => text.split(',').every(isKind), RULE)
  .transform((text): readonly ChangeKind[] => text.split(',').filter(isKind))
  .openapi({ type: 'string', description: `Of ${CHANGE_KINDS.join(', ')}, with commas between; all unless said.` })

export const feedQuery = queryOf({ kinds: optional(plain(kindsInQuery)) })

/** Each thing as its GET shows it to a server key, by the codec of that. */
function dataOf(change: Extract<FeedChange, { change: 'updated' }>): unknown {
  switch (change.kind) {
    case 'build':
      return build.encode(change.data)
    case 'lobby':
      return lobby.encode(change.data)
    case 'match':
      return match.encode(change.data)
    case 'queue':
      return queue.encode(change.data)
    case 'server':
      return server.encode(change.data)
  }
}

const data: AnswerCodec<FeedChange> = {
  answer: z.union([lobby.answer, match.answer, server.answer, build.answer, queue.answer]).nullable(),
  encode: (change) => (change.change === 'deleted' ? null : dataOf(change)),
}

/** The data of a `change`. */
export const feedChange = answerOf<FeedChange>()(
  {
    kind: required(oneOf(CHANGE_KINDS), 'What changed.'),
    id: required(string, 'What its GET takes: lobby_id, match_id, instance_id, build_id or queue_id.'),
    version: required(plain(z.int().min(1)), 'Grows with every change of the thing itself.'),
    change: required(oneOf(['updated', 'deleted']), 'Whether it is there, made or changed, or is gone.'),
    data: told(data, (change: FeedChange) => change, 'The thing as its GET shows it; null where it is deleted.'),
  },
  'FeedChange',
  'A change of something in a project.',
)
