import { DEFAULT_PRICES, type PlanInterval } from '@matchyard/core'
import { describe, expect, test } from 'vitest'
import { type MeteredServer, usageOf } from '../../src/billing/usage'

const at = (iso: string) => Date.parse(iso)
const PRO: PlanInterval[] = [{ plan: 'pro', from: at('2026-01-01T00:00:00Z') }]

function usage(
  month: string,
  servers: MeteredServer[],
  { planHistory = PRO, now = at('2030-01-01T00:00:00Z') }: { planHistory?: PlanInterval[]; now?: number } = {},
) {
  const projects = [...new Set(servers.map((server) => server.projectId))].map((id) => ({ id, name: id }))
  return usageOf({ month, now, planHistory, servers, sums: [], projects, prices: DEFAULT_PRICES })
}

const server = (runningAt: string, stoppedAt: string | null, more: Partial<MeteredServer> = {}): MeteredServer => ({
  projectId: 'prj_1',
  tier: '1x-1g',
  runningAt: at(runningAt),
  stoppedAt: stoppedAt === null ? null : at(stoppedAt),
  ...more,
})

describe('what a month costs', () => {
  test('a leap February of the smallest tier is 29 x 24 hours at 0.025 USD', () => {
    const result = usage('2028-02', [server('2028-01-15T00:00:00Z', '2028-04-01T00:00:00Z')])
    expect(result.totalMicroUsd).toBe(29 * 24 * 25_000)
    expect(result.creditMicroUsd).toBe(5_000_000)
    expect(result.balanceMicroUsd).toBe(29 * 24 * 25_000 - 5_000_000)
  })

  test('the credit covers no more than was used', () => {
    const result = usage('2026-05', [server('2026-05-01T00:00:00Z', '2026-05-01T01:00:00Z')])
    expect(result).toMatchObject({ totalMicroUsd: 25_000, creditMicroUsd: 25_000, balanceMicroUsd: 0 })
  })

  test('tells the thousand projects that cost most, and sums up all', () => {
    const hours = (count: number) => new Date(at('2026-05-01T00:00:00Z') + count * 3_600_000).toISOString()
    const servers = Array.from({ length: 1_002 }, (_, n) =>
      server('2026-05-01T00:00:00Z', hours(n === 500 || n === 700 ? 1 : 2), { projectId: `prj_${n}` }),
    )
    const { projects, hasMore, totalMicroUsd } = usage('2026-05', servers)
    expect([projects.length, hasMore]).toEqual([1_000, true])
    expect(projects.map(({ projectId }) => projectId)).not.toContain('prj_500')
    expect(projects.map(({ projectId }) => projectId)).not.toContain('prj_700')
    expect(totalMicroUsd).toBe(1_000 * 50_000 + 2 * 25_000)
    expect(usage('2026-05', servers.slice(2)).hasMore).toBe(false)
  })

  test('a second belongs wholly to the month in which it starts', () => {
    const crossing = server('2026-04-30T23:59:59.001Z', '2026-05-01T00:00:00.001Z', { tier: '8x-32g' })
    expect(usage('2026-04', [crossing]).totalMicroUsd).toBe(Math.round(320_000 / 3_600))
    expect(usage('2026-05', [crossing]).totalMicroUsd).toBe(0)
  })

  test('a second that has begun counts whole, one that has not does not', () => {
    const cost = (ms: number) =>
      usage('2026-05', [{ ...server('2026-05-01T00:00:00Z', null), stoppedAt: at('2026-05-01T00:00:00Z') + ms }])
    expect(cost(0).totalMicroUsd).toBe(0)
    expect(cost(1).totalMicroUsd).toBe(7)
    expect(cost(1_000).totalMicroUsd).toBe(7)
    expect(cost(1_001).totalMicroUsd).toBe(14)
  })

  test('a running server is metered to now', () => {
    const running = server('2026-05-01T00:00:00Z', null)
    expect(usage('2026-05', [running], { now: at('2026-05-01T02:00:00Z') }).totalMicroUsd).toBe(50_000)
    expect(usage('2026-06', [running], { now: at('2026-05-01T02:00:00Z') }).totalMicroUsd).toBe(0)
  })

  test('each second is priced by the plan of its instant: those on free cost nothing', () => {
    const planHistory: PlanInterval[] = [
      { plan: 'free', from: at('2026-01-01T00:00:00Z') },
      { plan: 'payg', from: at('2026-05-10T12:00:00Z') },
      { plan: 'free', from: at('2026-06-01T00:00:00Z') },
    ]
    const through = server('2026-05-10T11:00:00Z', '2026-06-02T00:00:00Z')
    expect(usage('2026-05', [through], { planHistory })).toMatchObject({
      totalMicroUsd: (21 * 24 + 12) * 25_000,
      creditMicroUsd: 0,
    })
    expect(usage('2026-06', [through], { planHistory }).totalMicroUsd).toBe(0)
  })

  test('one instant on pro gives the credit, a plan that was replaced in the same instant does not', () => {
    const hour = server('2026-05-20T00:00:00Z', '2026-05-20T01:00:00Z')
    const history = (proUntil: string): PlanInterval[] => [
      { plan: 'payg', from: at('2026-01-01T00:00:00Z') },
      { plan: 'pro', from: at('2026-05-10T00:00:00Z') },
      { plan: 'payg', from: at(proUntil) },
    ]
    expect(usage('2026-05', [hour], { planHistory: history('2026-05-10T00:00:00.001Z') }).creditMicroUsd).toBe(25_000)
    expect(usage('2026-05', [hour], { planHistory: history('2026-05-10T00:00:00Z') }).creditMicroUsd).toBe(0)
  })

  test('each project is rounded once, and the total is their sum', () => {
    // One second costs 6.944 micro-USD: ten servers of one project cost 69, not 70; two projects cost 7 each, not 13.9 together.
    const second = (projectId: string) => server('2026-05-01T00:00:00Z', '2026-05-01T00:00:01Z', { projectId })
    expect(
      usage(
        '2026-05',
        Array.from({ length: 10 }, () => second('prj_1')),
      ).totalMicroUsd,
    ).toBe(69)
    const two = usage('2026-05', [second('prj_1'), second('prj_2')])
    expect(two.projects.map((project) => project.microUsd)).toEqual([7, 7])
    expect(two.totalMicroUsd).toBe(14)
  })

  test('a sum exactly between two micro-USD goes up', () => {
    const prices = { ...DEFAULT_PRICES, '1x-1g': 1_800 }
    const servers = [server('2026-05-01T00:00:00Z', '2026-05-01T00:00:01Z')]
    const projects = [{ id: 'prj_1', name: 'a' }]
    const now = at('2026-06-01T00:00:00Z')
    expect(
      usageOf({ month: '2026-05', now, planHistory: PRO, servers, sums: [], projects, prices }).totalMicroUsd,
    ).toBe(1)
  })

  test('projects that cost nothing have no line', () => {
    const idle = server('2026-05-01T00:00:00Z', '2026-05-01T00:00:00Z', { projectId: 'prj_idle' })
    const busy = server('2026-05-01T00:00:00Z', '2026-05-01T00:00:09Z', { projectId: 'prj_busy' })
    expect(usage('2026-05', [idle, busy]).projects.map(({ projectId }) => projectId)).toEqual(['prj_busy'])
  })
})
