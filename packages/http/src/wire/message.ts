import { z } from '@hono/zod-openapi'
import { MESSAGE_TYPES, type Message, type MessageSubject } from '@matchyard/core'
import { asSeenBy } from '@matchyard/core/domain'
import { ban } from './ban'
import { build } from './build'
import { answerOf, described, instant, NAMES_OF, plain, required } from './codec/index'
import { lobby } from './lobby'
import { match } from './match'
import { keptProblem } from './problem'
import { server } from './server'
import { string } from './shared'

function dataOf(subject: MessageSubject): unknown {
  switch (subject.kind) {
    case 'match':
      return match.encode(subject)
    case 'lobby':
      return lobby.encode(asSeenBy(subject.lobby, { backend: true }))
    case 'server':
      return { ...(server.encode(subject.server) as object), version: subject.server.version }
    case 'build':
      return build.encode(subject.build)
    case 'player':
      return ban.encode(subject.ban)
    case 'problem':
      return keptProblem.encode(subject.problem)
    case 'webhook':
      return { webhook_id: subject.webhookId }
  }
}

const serverNow = z.object({
  ...server.answer.shape,
  version: described(z.int().min(1), 'Version of the server; grows with each change.'),
})
const DATA = {
  match: match.answer,
  lobby: lobby.answer,
  server: serverNow,
  build: build.answer,
  player: ban.answer,
  problem: keptProblem.answer,
} as const
const dataSchemaOf = (type: (typeof MESSAGE_TYPES)[number]) =>
  DATA[type.slice(0, type.indexOf('.')) as keyof typeof DATA]

const bodyOf = (type: z.ZodType, data: z.ZodType) =>
  answerOf<Message>(NAMES_OF.message)({
    id: required(string, 'Id of the message (`webhook-id`), equal in every attempt.'),
    type: required(plain(type), 'Type of the event.'),
    createdAt: required(instant, 'Time of the event.'),
    projectId: required(string, 'Project of the event.'),
    subject: required({ answer: data, encode: dataOf }, 'The changed resource, in its state after the change.'),
  })

const anyBody = bodyOf(z.string(), z.unknown())

/**
 * Returns the body of a webhook message: the resource in the form in which its GET returns it, in its state after the
 * commit (docs/http-api.md §10).
 */
export const webhookBody = (message: Message): string => JSON.stringify(anyBody.encode(message))

/** Schemas of webhook messages by type, for the OpenAPI document. */
export const WEBHOOK_BODIES: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries(MESSAGE_TYPES.map((type) => [type, bodyOf(z.literal(type), dataSchemaOf(type)).answer])),
  'webhook.test': bodyOf(
    z.literal('webhook.test'),
    z.object({ webhook_id: described(z.string(), 'Id of the tested webhook.') }),
  ).answer,
}
