import { createParser } from 'eventsource-parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventParser } from '../src/follow/event-parser'

type Word = readonly [name: string, data: string, id: string] | number

function heard(pieces: readonly Uint8Array[]): Word[] {
  const words: Word[] = []
  const parse = eventParser({
    event: (name, data, id) => words.push([name, data, id]),
    retry: (milliseconds) => words.push(milliseconds),
  })
  for (const piece of pieces) parse(piece)
  return words
}

/** Returns the events by a widely used parser. */
function expected(text: string): Word[] {
  const words: Word[] = []
  const parser = createParser({
    onEvent: ({ event = '', data, id = '' }) => words.push([event, data, id]),
    onRetry: (milliseconds) => words.push(milliseconds),
  })
  parser.feed(text)
  return words
}

const line = fc.oneof(
  fc.constantFrom(
    '',
    ': ping',
    'event: lobby_updated',
    'event:lobby_deleted',
    'id: 7',
    'retry: 2000',
    'retry: soon',
    'data',
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => `data: ${text.replace(/[\r\n]/g, '')}`),
)

describe('an event stream', () => {
  it('is taken apart as any parser does it, wherever it is cut, in the midst of a character too', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 30 }),
        fc.array(fc.nat(400), { maxLength: 10 }),
        (lines, cuts) => {
          const text = `${lines.map(([one, end]) => one + end).join('')}`
          const bytes = new TextEncoder().encode(text)
          const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length]
          const pieces = at.slice(1).map((end, index) => bytes.slice(at[index], end))
          expect(heard(pieces)).toEqual(expected(text))
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it('ends where an event has no end, however it is kept from it, and not where many follow each other', () => {
    const piece = (text: string) => new TextEncoder().encode(text.repeat(10_000))
    const held = (text: string) => () => heard(Array.from({ length: 20 }, () => piece(text)))
    expect(held('without an end')).toThrow('too long')
    expect(held('data: line\n')).toThrow('too long')
    expect(held('data: line\n\n')).not.toThrow()
    expect(held(':\n\n')).not.toThrow()
  })
})
