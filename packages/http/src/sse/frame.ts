import type { FeedChange } from '@matchyard/core'
import type { AgentMessage } from '../agents/wanted-stream'
import type { FeedPage, LogMessage, ServerMessage, StreamMessage } from '../wire/core-types'
import { feedChange } from '../wire/feed-change'
import { lobby } from '../wire/lobby'
import { logEvent } from '../wire/log-event'
import { serverEvent } from '../wire/server-event'

const utf8 = new TextEncoder()

/**
 * First frame of a stream. With it, a reader that loses the connection waits for 2 seconds before it connects again.
 */
export const RETRY_FRAME = utf8.encode('retry: 2000\n\n')
/** Milliseconds over which the reconnects of readers are spread when a service shuts down. */
const COME_BACK_WITHIN_MS = 2_000

/**
 * Returns the last frame of a stream at a shutdown. The frame has the milliseconds that the reader waits before it
 * connects again. Another node is ready, so the wait is shorter than after a failure. Readers get different waits, so
 * that they do not all connect again at the same time.
 */
export const comeBackFrame = (nth: number): Uint8Array =>
  utf8.encode(`retry: ${100 + ((nth * SPREAD_MS) % COME_BACK_WITHIN_MS)}\n\n`)
/**
 * Milliseconds between the reconnects of two readers. The number has no common divisor with the interval, so every
 * millisecond of the interval is used.
 */
const SPREAD_MS = 773

/** Keep-alive frame: a comment, which readers ignore. */
export const PING_FRAME = utf8.encode(': ping\n\n')

interface Frame {
  readonly event: string
  readonly bytes: Uint8Array
}

// Bytes of each event, shared by all readers on one node and kept as long as the event itself.
const frames = new WeakMap<object, Frame>()

/** Returns the bytes of a message. A page of a project's feed may contain many events. */
export function frameOf(message: StreamMessage | ServerMessage | LogMessage | FeedPage | AgentMessage): Uint8Array {
  const known = frames.get(message.source)
  if (known?.event === message.event) return known.bytes
  const bytes = utf8.encode('cursor' in message ? textOfPage(message) : textOf(message))
  frames.set(message.source, { event: message.event, bytes })
  return bytes
}

/**
 * Returns the text of a message. JSON contains no line breaks, so the `data:` field is one line. A message without an
 * id leaves the reader's last event id unchanged.
 */
function textOf(message: StreamMessage | ServerMessage | LogMessage | AgentMessage): string {
  return textWith(message.event, 'id' in message ? message.id : undefined, dataOf(message))
}

function dataOf(message: StreamMessage | ServerMessage | LogMessage | AgentMessage): unknown {
  if ('lobby' in message) return lobby.encode(message.lobby)
  if ('data' in message) return message.data
  return message.event === 'lines' || message.event === 'end' ? logEvent.encode(message) : serverEvent.encode(message)
}

function textOfPage(page: FeedPage): string {
  // A reader that gets an id without data stores the id, and dispatches no event.
  if (page.event === 'mark') return `id: ${page.cursor}\n\n`
  if (page.event !== 'change')
    return textWith(page.event, page.cursor, page.event === 'hello' ? { cursor: page.cursor } : {})
  const last = page.changes.length - 1
  // Only the last change of a page has the page's cursor as its id. A reader that received only a part of the page
  // therefore gets the whole page again.
  const idAt = (index: number) => (index === last ? page.cursor : page.before)
  return page.changes.map((change, index) => textAround('change', idAt(index), textOfChange(change))).join('')
}

// JSON text of each change. Readers of different kinds get pages that differ, but that contain the same changes.
const changeTexts = new WeakMap<object, string>()

function textOfChange(change: FeedChange): string {
  const text = changeTexts.get(change) ?? JSON.stringify(feedChange.encode(change))
  changeTexts.set(change, text)
  return text
}

const textWith = (event: string, id: number | string | undefined, data: unknown): string =>
  textAround(event, id, JSON.stringify(data))

const textAround = (event: string, id: number | string | undefined, data: string): string =>
  `event: ${event}${id === undefined ? '' : `\nid: ${id}`}\ndata: ${data}\n\n`
