import { DEFAULT_PRICES } from '@matchyard/core'
import { expect, it } from 'vitest'
import { textOf } from './pages'

const page = textOf('docs/scaling.md')
const benchmarks = textOf('docs/benchmarks.md')

it('every figure that was measured stands in docs/benchmarks.md', () => {
  const measured = [
    ...['17.8', '12.3 ms', '1.6 ms', '13.9 kB', '10,407', '23,275', '411,963', '8.8'],
    ...['553,678', '143,787', '119 bytes', '0.64 s', '318', '0.45 cores'],
    ...[
      '13.8 ms',
      '24.2 ms',
      '57.0 ms',
      '34.0 ms',
      '56.0 ms',
      '201.0 ms',
      '8.0 ms',
      '18.5 ms',
      '77.0 ms',
      '25.9 ms',
      '14.7 ms',
      '1.76 times',
    ],
  ]
  expect(measured.filter((figure) => !page.includes(figure))).toEqual([])
  expect(measured.filter((figure) => !benchmarks.includes(figure))).toEqual([])
})

/** Returns the calls for a launch and its end, with a cold start and a requested stop, from docs/benchmarks.md. */
const callsOf = (nodes: number): number => {
  const [, launch, end] = new RegExp(`^\\| cold \\| ${nodes} \\| (\\d+) \\| (\\d+) \\|`, 'm').exec(benchmarks) ?? []
  return Number(launch) + Number(end)
}

it('calls of a cluster are those that were counted', () => {
  const counts = [1, 3, 6].map(callsOf)
  const [one, three, six] = counts
  expect(page).toContain(`${one} calls with one node, ${three} calls with three nodes, ${six} calls with six nodes`)
  const perSecond = counts.map((count) => (Math.round((104 * count) / 100) * 100).toLocaleString('en'))
  expect(page).toContain(`104 matches a second need ${perSecond[0]}, ${perSecond[1]} or ${perSecond[2]} calls a second`)
  expect(page).toContain('The million players above need 19 installations with 5,000 game servers each')
  expect(Math.ceil(93_750 / 5_000)).toBe(19)
})

/** Checks the figures of the page against its assumptions. */
it('the arithmetic is right', () => {
  const players = 1_000_000
  const round = (value: number) => Math.round(value).toLocaleString('en')
  const queued = players / 960
  const servers = (players / 10) * (15 / 16)
  const { '1x-1g': hour } = DEFAULT_PRICES
  const sums: Readonly<Record<string, string>> = {
    'players who enter a queue, per second': round(queued),
    'matches per second': round(queued / 10),
    'CPU of the nodes': `${((queued * 17.8) / 2_000).toFixed(1)} cores`,
    'CPU of PostgreSQL': `${((queued * 12.3) / 2_000).toFixed(1)} cores`,
    'commits per second': round(queued * 3 + (queued / 10) * 6),
    'memory of streams': `${((players * 13.9) / 1e6).toFixed(1)} GB`,
    'heartbeats on streams per second': round(players / 15),
    'game servers that run at once': round(servers),
    'launches per second': round(queued / 10),
    "with Agones: calls to the clusters' APIs per second": round((queued / 10) * callsOf(6)),
    'with Agones: CPU of six nodes for launches': `${((queued / 10) * 0.057).toFixed(1)} cores`,
    'six nodes': ((24 * 20 + 48 * 5) / 1_000).toFixed(2),
    'two PostgreSQL servers': ((32 * 20 + 128 * 5) / 1_000).toFixed(2),
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
