import { DEFAULT_PRICES } from '@matchyard/core'
import { expect, it } from 'vitest'
import { textOf } from './pages'

const page = textOf('docs/scaling.md')
const benchmarks = textOf('docs/benchmarks.md')

it('every figure that was measured stands in docs/benchmarks.md', () => {
  const measured = [
    ...['17.8', '12.3 ms', '1.6 ms', '13.9 kB', '10,407', '23,275', '411,963/s', '8.8'],
    ...['553,678/s', '143,787/s', '119 bytes', '0.64 s', '318', '0.45 cores'],
  ]
  expect(measured.filter((figure) => !page.includes(figure))).toEqual([])
  expect(measured.filter((figure) => !benchmarks.includes(figure))).toEqual([])
})

/** What the page comes to, from what it assumes. */
it('the arithmetic is right', () => {
  const players = 1_000_000
  const round = (value: number) => Math.round(value).toLocaleString('en')
  const queued = players / 960
  const servers = (players / 10) * (15 / 16)
  const { '1x-1g': hour } = DEFAULT_PRICES
  const sums: Readonly<Record<string, string>> = {
    'players who queue, a second': round(queued),
    'matches, a second': round(queued / 10),
    'CPU of the nodes': `${((queued * 17.8) / 2_000).toFixed(1)} cores`,
    'CPU of PostgreSQL': `${((queued * 12.3) / 2_000).toFixed(1)} cores`,
    'commits, a second': round(queued * 3 + (queued / 10) * 6),
    'memory of streams': `${((players * 13.9) / 1e6).toFixed(1)} GB`,
    'signs of life on streams, a second': round(players / 15),
    'game servers at once': round(servers),
    'launches, a second': round(queued / 10),
    'six nodes': ((24 * 20 + 48 * 5) / 1_000).toFixed(2),
    'PostgreSQL, two': ((32 * 20 + 128 * 5) / 1_000).toFixed(2),
    'game servers, 1 CPU and 1 GiB each': round((servers * hour) / 1e6),
  }
  const last = (row: string) =>
    page
      .split('\n')
      .find((line) => line.startsWith(`| ${row} |`))
      ?.split('|')
      .at(-2)
      ?.trim()
  expect(Object.fromEntries(Object.keys(sums).map((row) => [row, last(row)]))).toEqual(sums)
})
