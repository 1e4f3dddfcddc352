import { PassThrough } from 'node:stream'
import { fakePlatform } from '@matchyard/testkit'
import { Counter, Gauge, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { SummedFigures } from '../src/metrics/summed-figures'
import { Channel, NoAnswer, type Wire } from '../src/workers/channel'
import { relayLines } from '../src/workers/relay-lines'
import { run } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { serveEnvironment } from './harness/services'

test('workers want PostgreSQL, and a number of them', async () => {
  const cwd = temporaryFolder()
  const refused = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(['serve', ...args], { cwd, env: serveEnvironment(cwd) })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    return stderr
  }
  expect(await refused('--workers', '2')).toBe(
    'matchyard: --workers needs PostgreSQL: a SQLite file has one process to itself; set DATABASE_URL to postgres://…, or leave --workers out\n',
  )
  expect(await refused('--workers', 'many')).toMatch(/^matchyard: WORKERS: "many" is not a whole number of processes/)
})

const measured = async (counts: Readonly<Record<string, number>>, open: number) => {
  const registers = [new Registry()]
  const counter = new Counter({ name: 'calls_total', help: 'Calls.', labelNames: ['operation'], registers })
  for (const [operation, count] of Object.entries(counts)) counter.inc({ operation }, count)
  new Gauge({ name: 'streams', help: 'Open.', registers }).set(open)
  return (await registers[0]?.getMetricsAsJSON()) ?? []
}

test('what workers have counted is one sum that no death makes smaller, and what they hold is what is held now', async () => {
  const figures = new SummedFigures()
  const rows = async () => (await figures.page([])).split('\n').filter((row) => row !== '' && !row.startsWith('#'))
  figures.heard(1, await measured({ read: 5 }, 2))
  figures.heard(2, await measured({ read: 7, write: 1 }, 3))
  const before = ['calls_total{operation="read"} 12', 'calls_total{operation="write"} 1']
  expect(await rows()).toEqual([...before, 'streams 5'])
  figures.ended(2)
  expect(await rows()).toEqual([...before, 'streams 2'])
  figures.heard(2, await measured({ read: 1 }, 1))
  figures.ended(2)
  figures.ended(2)
  expect(await rows()).toEqual(['calls_total{operation="read"} 13', before[1], 'streams 2'])
})

test('a question is answered, refused in a sentence, or not answered in time', async () => {
  const { clock, timers } = fakePlatform()
  const [left, right] = wires()
  type Ours = { double: { given: number; answer: number }; fail: { given: undefined; answer: undefined } }
  const asker = new Channel<Ours & { lost: { given: undefined; answer: undefined } }, Record<never, never>>(
    left,
    timers,
    {},
  )
  new Channel<Record<never, never>, Ours>(right, timers, {
    double: async (given) => 2 * given,
    fail: async () => {
      throw new Error('it is full')
    },
  })
  expect(await asker.ask('double', 21, 1_000)).toBe(42)
  await expect(asker.ask('fail', undefined, 1_000)).rejects.toThrow('it is full')
  left.cut()
  const late = asker.ask('double', 1, 1_000)
  clock.advance(1_000)
  await expect(late).rejects.toThrow(NoAnswer)
  const gone = asker.ask('double', 1, 1_000)
  asker.close()
  await expect(gone).rejects.toThrow(NoAnswer)
})

function wires(): [Wire & { cut(): void }, Wire] {
  const listeners: ((message: unknown) => void)[] = []
  let isCut = false
  const wire = (own: number): Wire => ({
    send: (message) => {
      if (!isCut) queueMicrotask(() => listeners[1 - own]?.(JSON.parse(JSON.stringify(message))))
    },
    listen: (listener) => {
      listeners[own] = listener
    },
  })
  return [
    {
      ...wire(0),
      cut: () => {
        isCut = true
      },
    },
    wire(1),
  ]
}

test('lines of several processes are never cut into each other, also where one dies in the middle of its own', async () => {
  const lines: string[] = []
  const to = { write: (line: string) => lines.push(line) > 0 }
  const [one, two] = [new PassThrough(), new PassThrough()]
  relayLines(one, to)
  relayLines(two, to)
  one.write('a1')
  two.write('b1\nb2')
  one.write('a2\na3\n')
  two.destroy()
  one.end('ä'.repeat(3))
  await new Promise((resolve) => one.once('close', resolve))
  expect(lines).toEqual(['b1\n', 'a1a2\n', 'a3\n', 'b2\n', 'äää\n'])
})

test('a line that never ends is cut', async () => {
  const lines: string[] = []
  const from = new PassThrough()
  relayLines(from, { write: (line) => lines.push(line) > 0 })
  for (let part = 0; part < 5; part++) from.write('x'.repeat(64 * 1024))
  from.end()
  await new Promise((resolve) => from.once('close', resolve))
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(5 * 64 * 1024 + 1)
  expect(lines.join('').replaceAll('\n', '')).toBe('x'.repeat(5 * 64 * 1024))
  expect(lines.length).toBeGreaterThan(0)
})
