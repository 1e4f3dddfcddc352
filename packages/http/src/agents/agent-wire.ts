import { z } from '@hono/zod-openapi'
import type { BatchEffect, ObservedBatch, WantedCall } from '@matchyard/core'

import { type BegunSession, observedBatch, writtenBatch } from '../wire/agent'

export { AGENT_HEADER, headerOf as agentHeaderOf } from './agent-header'

/** First event of the stream of an agent. */
export interface SessionEvent {
  /** Name of the event. */
  readonly event: 'session'
  /** Session that begins. */
  readonly session: BegunSession
}

/** Event with a call that the agent carries out. */
export interface CallEvent {
  /** Name of the event. */
  readonly event: 'call'
  /** Call with its number. */
  readonly call: WantedCall
}

/** Last event of a stream that the service ends. */
export interface EndEvent {
  /** Name of the event. */
  readonly event: 'end'
  /** Cause of the end. */
  readonly reason: string
}

/** Event of the stream of an agent, as the agent reads it. */
export type AgentEvent = SessionEvent | CallEvent | EndEvent

/** Location of an archive, as an agent reads it. */
export interface ArchiveLocation {
  /** URL in the build store, or a path of the service, which begins with a slash. */
  readonly url: string
  /** Bytes of the archive. */
  readonly sizeBytes: number
  /** SHA-256 in hexadecimal digits; undefined when the service does not know it. */
  readonly sha256: string | undefined
}

const session = z.object({ session: z.string(), machine_id: z.string(), heartbeat_ms: z.number().min(1) })
const call = z.looseObject({ number: z.int().min(1), call: z.string() })
const end = z.object({ reason: z.string() })
const taken = z.object({ taken: z.enum(['heard', 'repeated', 'foreign']) })
const location = z.object({
  url: z.string(),
  size_bytes: z.int().min(0),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
})

/** Returns an event of the stream; undefined for an event that this release does not know, and for other data. */
export function readAgentEvent(event: string, data: string): AgentEvent | undefined {
  const value = parsed(data)
  if (event === 'session') {
    const { data: begun } = session.safeParse(value)
    if (begun === undefined) return undefined
    const { machine_id: machineId, heartbeat_ms: heartbeatMs } = begun
    return { event, session: { session: begun.session, machineId, heartbeatMs } }
  }
  if (event === 'call') {
    const { data: wanted } = call.safeParse(value)
    return wanted === undefined ? undefined : { event, call: wanted as unknown as WantedCall }
  }
  const reason = event === 'end' ? end.safeParse(value).data?.reason : undefined
  return reason === undefined ? undefined : { event: 'end', reason }
}

/** Returns a batch as the body of a request. Text that is not valid Unicode is replaced. */
export const batchText = (batch: ObservedBatch): string =>
  JSON.stringify(writtenBatch(batch), (_, value: unknown) => (typeof value === 'string' ? wellFormed(value) : value))

const UNPAIRED = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
const wellFormed = (text: string) => text.replace(UNPAIRED, '\ufffd')

/** Returns the batch in a text; undefined for another text. */
export function readBatch(text: string): ObservedBatch | undefined {
  const { data } = observedBatch.body.safeParse(parsed(text))
  return data && observedBatch.decode(data)
}

/** Returns the answer to a batch; undefined for another text. */
export const readTaken = (text: string): Exclude<BatchEffect, 'elsewhere'> | undefined =>
  taken.safeParse(parsed(text)).data?.taken

/** Returns the location of an archive; undefined for another text. */
export function readLocation(text: string): ArchiveLocation | undefined {
  const { data } = location.safeParse(parsed(text))
  return data && { url: data.url, sizeBytes: data.size_bytes, sha256: data.sha256 }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
