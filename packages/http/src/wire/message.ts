import { z } from '@hono/zod-openapi'
import { MESSAGE_TYPES, type Message, type MessageSubject } from '@matchyard/core'
import { build } from './build'
import { described } from './codec/index'
import { isoOf } from './codec/iso'
import { lobby } from './lobby'
import { match } from './match'
import { server } from './server'

/** What is sent to a webhook: the object as its GET shows it, as the commit left it (docs/http-api.md §10). */
export const webhookBody = ({ id, type, createdAt, projectId, subject }: Message): string =>
  JSON.stringify({ id, type, created_at: isoOf(createdAt), project_id: projectId, data: dataOf(subject) })

function dataOf(subject: MessageSubject): unknown {
  switch (subject.kind) {
    case 'match':
      return match.encode(subject)
    case 'lobby':
      return lobby.encode(subject.lobby)
    case 'server':
      return { ...(server.encode(subject.server) as object), version: subject.server.version }
    case 'build':
      return build.encode(subject.build)
    case 'webhook':
      return { webhook_id: subject.webhookId }
  }
}

const serverNow = z.object({
  ...server.answer.shape,
  version: described(z.int().min(1), 'Grows with every change of the server.'),
})
const DATA = { match: match.answer, lobby: lobby.answer, server: serverNow, build: build.answer } as const
const dataSchemaOf = (type: (typeof MESSAGE_TYPES)[number]) =>
  DATA[type.slice(0, type.indexOf('.')) as keyof typeof DATA]

const bodySchema = (type: string, data: z.ZodType) =>
  z.object({
    id: z.string().openapi({ description: 'The `webhook-id`: the same in every attempt.' }),
    type: described(z.literal(type), 'What happened.'),
    created_at: described(z.iso.datetime(), 'When it happened.'),
    project_id: described(z.string(), 'The project in which it happened.'),
    data: described(data, 'What it happened to, as the change left it.'),
  })

/** What is sent, by type, for whoever reads the API's description. */
export const WEBHOOK_BODIES: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries(MESSAGE_TYPES.map((type) => [type, bodySchema(type, dataSchemaOf(type))])),
  'webhook.test': bodySchema(
    'webhook.test',
    z.object({ webhook_id: described(z.string(), 'The webhook that was to be tried.') }),
  ),
}
