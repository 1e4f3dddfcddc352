import { z } from '@hono/zod-openapi'
import { type AnswerCodec, described } from './codec/index'
import type { LogMessage } from './core-types'
import { serverLogs } from './server'

const ended = z.object({ instance_id: described(z.string(), 'The server, which has ended; no lines follow.') })

/** Codec of the data of events of a log: `lines`, `end`. */
export const logEvent: AnswerCodec<LogMessage> = {
  answer: z.union([serverLogs.answer, ended]),
  encode: (message) => (message.event === 'lines' ? serverLogs.encode(message) : { instance_id: message.instanceId }),
}
