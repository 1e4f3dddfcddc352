import type { Message, MessageSubject } from '@matchyard/core'
import { build } from './build'
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
      return match.encode({ ...subject.match, server: subject.server })
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
