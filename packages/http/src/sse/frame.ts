import type { FeedChange } from '@matchyard/core'
import type { FeedPage, ServerMessage, StreamMessage } from '../wire/core-types'
import { feedChange } from '../wire/feed-change'
import { lobby } from '../wire/lobby'
import { serverEvent } from '../wire/server-event'

const utf8 = new TextEncoder()

/** First frame of a stream. It makes readers wait for 2 seconds before they connect again. */
export const RETRY_FRAME = utf8.encode('retry: 2000\n\n')
/** Milliseconds over which the reconnects of readers are spread when a service shuts down. */
const COME_BACK_WITHIN_MS = 2_000

/**
 * Returns the last frame of a stream when the service shuts down. It tells the reader how long to wait before it
 * connects again. Another node is ready, so the wait is shorter than after a failure. The waits of the readers differ,
 * so that they do not all return at the same time.
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

// All readers on one node get the same bytes of an event. The bytes are kept as long as the event itself.
const frames = new WeakMap<object, Frame>()

/** Returns the bytes of a message. A page of a feed may contain many events. */
export function frameOf(message: StreamMessage | ServerMessage | FeedPage): Uint8Array {
  const known = frames.get(message.source)
  if (known?.event === message.event) return known.bytes
  const bytes = utf8.encode('cursor' in message ? textOfPage(message) : textOf(message))
  frames.set(message.source, { event: message.event, bytes })
  return bytes
}

/**
 * Returns the text of a message. JSON contains no line breaks, so the data is one line. A message without an id leaves
 * the reader's last event id unchanged.
 */
function textOf(message: StreamMessage | ServerMessage): string {
  const data = 'lobby' in message ? lobby.encode(message.lobby) : serverEvent.encode(message)
  return textWith(message.event, 'id' in message ? message.id : undefined, data)
}

function textOfPage(page: FeedPage): string {
  // Readers store an id that comes without data, and dispatch no event.
  if (page.event === 'mark') return `id: ${page.cursor}\n\n`
  if (page.event !== 'change')
    return textWith(page.event, page.cursor, page.event === 'hello' ? { cursor: page.cursor } : {})
  const last = page.changes.length - 1
  // A reader that received only a part of the page will get the whole page again.
  const idAt = (index: number) => (index === last ? page.cursor : page.before)
  return page.changes.map((change, index) => textAround('change', idAt(index), textOfChange(change))).join('')
}

// Readers of other kinds get other pages with the same changes, so the text of each change is kept.
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
