import { z } from '@hono/zod-openapi'
import type { FeedChange } from '@matchyard/core'
import { CHANGE_KINDS, type ChangeKind } from '@matchyard/core/ports'
import { build } from './build'
import { type AnswerCodec, component, described, optional, plain, queryOf } from './codec/index'
import { lobby } from './lobby'
import { match } from './match'
import { queue } from './queue'
import { server } from './server'

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

const changed = z.object({
  kind: described(z.enum(CHANGE_KINDS), 'What changed.'),
  id: z.string().openapi({ description: 'What its GET takes: lobby_id, match_id, instance_id, build_id or queue_id.' }),
  version: z.int().min(1).openapi({ description: 'Grows with every change of the thing itself.' }),
  change: described(z.enum(['updated', 'deleted']), 'Whether it is there, made or changed, or is gone.'),
  data: z
    .union([lobby.answer, match.answer, server.answer, build.answer, queue.answer])
    .nullable()
    .openapi({ description: 'The thing as its GET shows it; null where it is deleted.' }),
})

/** The data of a `change`. */
export const feedChange: AnswerCodec<FeedChange> = {
  answer: component(changed, 'FeedChange', 'A change of something in a project.'),
  encode: (change) => ({
    kind: change.kind,
    id: change.id,
    version: change.version,
    change: change.change,
    data: change.change === 'deleted' ? null : dataOf(change),
  }),
}
