import { expect, test } from 'vitest'
import { EventReader } from '../../src/agent/event-reader'

test('an event of more than 1 Mi characters is refused, also of empty lines and of one line without an end', () => {
  const [line, rest] = ['data:\n'.repeat(10_000), 'x'.repeat(100_000)]
  for (const part of [line, rest, `data: ${rest}\n`, `event: ${rest}`]) {
    const reader = new EventReader(() => {})
    const feed = () => {
      for (let fed = 0; fed < 200; fed++) reader.feed(part)
    }
    expect(feed).toThrow(/an event has more than 1048576 characters/)
  }
})

test('lines and events in parts are put together', () => {
  const events: [string, string][] = []
  const reader = new EventReader((event, data) => void events.push([event, data]))
  for (const part of [': ping\r\n\r\nev', 'ent: call\ndata: {', '}\ndata: 1\n', '\n']) reader.feed(part)
  expect(events).toEqual([['call', '{}\n1']])
})
