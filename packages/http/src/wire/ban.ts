import { z } from '@hono/zod-openapi'
import type { Ban } from '@matchyard/core'
import { BAN_NOTE_LENGTH, BAN_QUEUES, BAN_REASON_LENGTH } from '@matchyard/core/domain'
import { actor } from './actor'
import { answerOf, bodyOf, instant, listOf, nullable, optional, plain, queryOf, required } from './codec/index'
import { cursor, dateTime, paging, projectId } from './query'
import { nameText, string, text } from './shared'

const queues = z.array(z.string()).min(BAN_QUEUES.min).max(BAN_QUEUES.max)

export const banSettings = bodyOf({
  reason: optional(plain(nameText(BAN_REASON_LENGTH).body.nullable()), 'Reason that the player may read.'),
  note: optional(plain(text(BAN_NOTE_LENGTH).body.nullable()), "Note for the project's developers and backend."),
  until: optional(dateTime, 'End of the ban; without it the ban has no end.'),
  queues: optional(plain(queues.nullable()), 'Queues that the player may not enter; without it the whole project.'),
})

export const bansQuery = queryOf({ projectId, ...paging, cursor })

export const ban = answerOf<Ban>()(
  {
    playerId: required(nullable(string), "The banned player; null after the player's data were erased."),
    reason: required(nullable(string), 'Reason that the player may read.'),
    note: required(nullable(string), "Note for the project's developers and backend."),
    until: required(nullable(instant), 'End of the ban; null for a ban without an end.'),
    queues: required(nullable(listOf(string)), 'Queues that the player may not enter; null for the whole project.'),
    createdAt: required(instant, 'Time at which the ban began.'),
    updatedAt: required(instant, 'Time at which the ban was last replaced.'),
    createdBy: required(actor, 'Author of the ban.'),
  },
  'Ban',
  'A player who may not play in the project, or in some of its queues.',
)
