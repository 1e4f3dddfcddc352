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

const RULE = `must be one or more of ${CHANGE_KINDS.join(', ')}, separated by commas`
const isKind = (word: string): word is ChangeKind => (CHANGE_KINDS as readonly string[]).includes(word)

const kindsInQuery = z
  .string()
  .refine((text) => text.split(',').every(isKind), RULE)
  .transform((text): readonly ChangeKind[] => text.split(',').filter(isKind))
  .openapi({
    type: 'string',
    description: `Kinds of resources, separated by commas: ${CHANGE_KINDS.join(', ')}; all by default.`,
  })

export const feedQuery = queryOf({ kinds: optional(plain(kindsInQuery)) })

/**
 * Returns a changed resource in the form in which its GET returns it to a server key; the codec of that GET writes it.
 */
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

/** Codec of the data of a `change` event. */
export const feedChange = answerOf<FeedChange>()(
  {
    kind: required(oneOf(CHANGE_KINDS), 'Kind of the resource that changed.'),
    id: required(string, 'Id of the resource: its lobby_id, match_id, instance_id, build_id or queue_id.'),
    version: required(plain(z.int().min(1)), 'Version of the resource; grows with each of its changes.'),
    change: required(oneOf(['updated', 'deleted']), 'Whether the resource was created, changed or deleted.'),
    data: told(data, (change: FeedChange) => change, 'The resource as its GET returns it; null after its deletion.'),
  },
  'FeedChange',
  'A change of a resource of a project.',
)
