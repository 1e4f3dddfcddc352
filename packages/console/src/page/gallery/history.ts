import type { History } from '@matchyard/client/admin'
import type { HistoryPoint, SeriesName } from '../data/slots'
import { type Asked, NOW } from './fixtures'

const STEPS = { '1m': 60_000, '5m': 300_000, '1h': 3_600_000, '1d': 86_400_000 } as const

/** Answer of the gallery for figures over time: waves of one evening, and crashes of one version near the end. */
export function historyAnswer({ query, isEmpty }: Asked): History {
  const asked = { from: Date.parse(query.get('from') ?? ''), to: Date.parse(query.get('to') ?? '') }
  const to = asked.to || NOW
  // Without an end, the page asks from the present of the browser; in the gallery, the present is another time.
  const lasts = Math.round(((asked.to || Date.now()) - asked.from) / 60_000) * 60_000
  const from = to - (lasts || 3_600_000)
  const step = (['1m', '5m', '1h', '1d'] as const).find((one) => (to - from) / STEPS[one] <= 499) ?? '1d'
  const length = STEPS[step]
  const first = Math.floor(from / length) * length
  const slots = Array.from({ length: Math.ceil((to - first) / length) }, (_, place) => first + place * length)
  const names = (query.get('series') ?? '').split(',') as readonly SeriesName[]
  const queueId = query.get('queue_id')
  const share = queueId === null ? 1 : queueId === 'ranked' ? 0.7 : queueId === 'casual' ? 0.2 : 0
  const pointsOf = (name: SeriesName) =>
    slots.flatMap((at, place) => pointOf(name, { at, place, of: slots.length, length, share, queueId }))
  return {
    queue_id: queueId,
    from: new Date(first).toISOString(),
    to: new Date(first + slots.length * length).toISOString(),
    step,
    series: names.map((name) => ({ name, points: isEmpty || share === 0 ? [] : pointsOf(name) })),
  }
}

interface Slot {
  readonly at: number
  readonly place: number
  readonly of: number
  readonly length: number
  readonly share: number
  readonly queueId: string | null
}

function pointOf(name: SeriesName, { at, place, of: all, length, share, queueId }: Slot): HistoryPoint[] {
  const wave = 1 + Math.sin((place / all) * 9) * 0.6 + Math.sin(place * 2.3) * 0.12
  const isLate = place > all * 0.8
  const minutes = length / 60_000
  const start = new Date(at).toISOString()
  const count = (each: number) => Math.max(0, Math.round(each * wave * share))
  switch (name) {
    case 'searching':
      return [{ at: start, value: count(46), most: count(61) }]
    case 'waits': {
      const p50 = Number((7 / wave).toFixed(1))
      return [{ at: start, value: count(9 * minutes), wait_seconds: { p50, p90: p50 * 3, p99: p50 * 7 } }]
    }
    case 'matches':
      return [{ at: start, value: count(6 * minutes) }]
    case 'exits': {
      const parts = { match_ended: count(5 * minutes), cancelled: count(minutes), timeout: count(0.4 * minutes) }
      return [{ at: start, value: 1, parts: isLate ? { ...parts, server_failed: count(2 * minutes) } : parts }]
    }
    case 'crashes': {
      const parts = { 'arena@13': isLate ? count(3 * minutes) : 0, 'arena@12': place % 17 === 0 ? 1 : 0 }
      return [{ at: start, value: 1, parts }]
    }
    case 'ends': {
      const parts = {
        'arena@13/match_ended': count(5 * minutes),
        'arena@13/server_failed': isLate ? count(3 * minutes) : 0,
        'arena@13/launch_failed': place % 11 === 0 ? 2 : 0,
        'arena@12/match_ended': count(2 * minutes),
        'race-server@2/match_ended': count(minutes),
      }
      return [{ at: start, value: 1, parts }]
    }
    case 'servers': {
      const parts = { 'arena@12': count(isLate ? 8 : 22), 'arena@13': isLate ? count(14) : 0 }
      return [{ at: start, value: parts['arena@12'] + parts['arena@13'], parts }]
    }
    case 'spread': {
      const of = (p50: number) => ({ p50, p90: p50 * 2.4, p99: p50 * 4 })
      const mmr = of(Math.round(42 / wave))
      const level = of(Number((3 / wave).toFixed(1)))
      return [{ at: start, value: count(6 * minutes), spreads: queueId === 'ranked' ? { level, mmr } : { mmr } }]
    }
    case 'streams': {
      const parts = { clients: count(140), backend: 3 }
      return [{ at: start, value: parts.clients + parts.backend, parts }]
    }
    case 'refusals': {
      const parts = {
        RATE_LIMITED: isLate ? count(9 * minutes) : 0,
        LOBBY_FULL: count(minutes),
        LOBBY_NOT_FOUND: count(0.6 * minutes),
      }
      return [{ at: start, value: 1, parts }]
    }
    case 'cost':
      return [{ at: start, value: Math.round(5_200 * minutes * wave * share) }]
  }
}
