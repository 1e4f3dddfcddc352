import type { FeedChange } from '@matchyard/core'
import type { FeedPage, ServerMessage, StreamMessage } from '../wire/core-types'
import { feedChange } from '../wire/feed-change'
import { lobby } from '../wire/lobby'
import { serverEvent } from '../wire/server-event'

const utf8 = new TextEncoder()

/** Sent first: how long a reader waits before it connects again. */
export const RETRY_FRAME = utf8.encode('retry: 2000\n\n')
/** Readers of a service that goes away come back within this time. */
const COME_BACK_WITHIN_MS = 2_000

/**
 * Sent last by a service that goes away: another node is ready, so a reader need not wait as long as after a fault; and readers
 * that are sent away together come back spread over the time, each at its own.
 */
export const comeBackFrame = (nth: number): Uint8Array =>
  utf8.encode(`retry: ${100 + ((nth * SPREAD_MS) % COME_BACK_WITHIN_MS)}\n\n`)
/** Has no divisor in common with the time, so that every millisecond has its turn. */
const SPREAD_MS = 773

/** The keep-alive: a comment, which readers pass over. */
export const PING_FRAME = utf8.encode(': ping\n\n')

interface Frame {
  readonly event: string
  readonly bytes: Uint8Array
}

// One event of a node goes to all its readers as the same bytes; they live as long as the event itself.
const frames = new WeakMap<object, Frame>()

/** A message as it is written; one of a feed may be many. */
export function frameOf(message: StreamMessage | ServerMessage | FeedPage): Uint8Array {
  const known = frames.get(message.source)
  if (known?.event === message.event) return known.bytes
  const bytes = utf8.encode('cursor' in message ? textOfPage(message) : textOf(message))
  frames.set(message.source, { event: message.event, bytes })
  return bytes
}

/** JSON has no line breaks, so the data is one line. One without an id leaves the reader's as it is. */
function textOf(message: StreamMessage | ServerMessage): string {
  const data = 'lobby' in message ? lobby.encode(message.lobby) : serverEvent.encode(message)
  return textWith(message.event, 'id' in message ? message.id : undefined, data)
}

function textOfPage(page: FeedPage): string {
  // An id alone is taken by readers without telling anybody.
  if (page.event === 'mark') return `id: ${page.cursor}\n\n`
  if (page.event !== 'change')
    return textWith(page.event, page.cursor, page.event === 'hello' ? { cursor: page.cursor } : {})
  const last = page.changes.length - 1
  // A reader that received part of the page starts it again.
  const idAt = (index: number) => (index === last ? page.cursor : page.before)
  return page.changes.map((change, index) => textAround('change', idAt(index), textOfChange(change))).join('')
}

// Readers who chose other kinds have other pages, of the same changes.
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
