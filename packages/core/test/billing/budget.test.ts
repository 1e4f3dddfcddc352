import { describe, expect, it } from 'vitest'
import { budgetState } from '../../src/billing/budget'
import { accountCosts, spendingIn } from '../../src/billing/spending'
import { DEFAULT_PRICES } from '../../src/catalog/prices'
import { budgetFaults } from '../../src/project/budget'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const at = (text: string) => Date.parse(`${text}Z`)
const NOW = at('2026-11-10T12:00:00')
const PRICE = DEFAULT_PRICES['1x-1g']
const ON_PRO = [{ plan: 'pro', from: 0 }] as const

const project = { id: 'prj', createdAt: 0 }
const day = (text: string, hours: number) =>
  ({
    ...{ accountId: 'acc', projectId: 'prj', tier: '1x-1g' },
    ...{ beginsAt: at(`${text}T00:00:00`), seconds: hours * 3_600 },
  }) as const
const running = (since: number) => ({ projectId: 'prj', tier: '1x-1g', runningAt: since, stoppedAt: null }) as const

const costs = (usage: object, month = '2026-11', now = NOW) =>
  accountCosts(month, { now, planHistory: ON_PRO, sums: [], servers: [], prices: DEFAULT_PRICES, ...usage })

describe('the cost of a project in this month', () => {
  it('has the sums by day and the servers that run, and forecasts the mean rate since the begin of yesterday', () => {
    const sums = [day('2026-10-31', 99), day('2026-11-02', 10), day('2026-11-09', 24)]
    const { spentMicroUsd, forecastMicroUsd, month } = spendingIn(
      costs({ sums, servers: [running(NOW - 12 * HOUR)] }),
      project,
    )
    expect([month, spentMicroUsd]).toEqual(['2026-11', (10 + 24 + 12) * PRICE])
    // One server ran for all of the 36 hours since yesterday, and 20.5 days are left.
    expect(forecastMicroUsd).toBe((46 + 20.5 * 24) * PRICE)
  })

  it('counts the rate of a new project from its creation, and from at least an hour', () => {
    const servers = [running(NOW - 6 * 60_000)]
    const of = (createdAt: number) => spendingIn(costs({ servers }), { id: 'prj', createdAt })
    const left = (20.5 * DAY) / HOUR
    expect(of(NOW - 6 * 60_000).forecastMicroUsd).toBe(PRICE / 10 + (left * PRICE) / 10)
    expect(of(NOW - 12 * HOUR).forecastMicroUsd).toBe(PRICE / 10 + Math.round((left * PRICE) / 120))
  })

  it('begins anew with the month, whose forecast has the rate of yesterday', () => {
    const first = at('2026-12-01T00:00:00')
    const sums = [day('2026-11-20', 900), day('2026-11-30', 24)]
    expect(spendingIn(costs({ sums }, '2026-12', first), project)).toEqual({
      month: '2026-12',
      spentMicroUsd: 0,
      forecastMicroUsd: 31 * 24 * PRICE,
    })
  })

  it('is nothing without usage, of another project, and under the tariff of an operator', () => {
    const none = { month: '2026-11', spentMicroUsd: 0, forecastMicroUsd: 0 }
    const servers = [running(NOW - HOUR)]
    expect(spendingIn(costs({}), project)).toEqual(none)
    expect(spendingIn(costs({ servers }), { id: 'prj_other', createdAt: 0 })).toEqual(none)
    const planHistory = [{ plan: 'pro', tariff: 'self_hosted', from: 0 }]
    expect(spendingIn(costs({ servers, planHistory }), project)).toEqual(none)
  })
})

describe('a budget', () => {
  const state = (spentMicroUsd: number, forecastMicroUsd: number, isNear = false) =>
    budgetState(100, { spentMicroUsd, forecastMicroUsd }, isNear)

  it('is near from 80 % on, or by its forecast, and passed from 100 % on', () => {
    expect([state(79, 99), state(80, 80), state(0, 100), state(99, 200), state(100, 100)]).toEqual([
      ...['within', 'near', 'near', 'near', 'passed'],
    ])
  })

  it('stays near while the forecast is at least 90 %, so that a forecast at the edge warns once', () => {
    expect([state(0, 99, true), state(0, 90, true), state(0, 89, true), state(80, 0, true)]).toEqual([
      ...['near', 'near', 'within', 'near'],
    ])
  })

  it('is a whole number of micro-USD from a cent to a million dollars, or null', () => {
    expect([null, 10_000, 1_000_000_000_000].flatMap(budgetFaults)).toEqual([])
    for (const wrong of [undefined, 0, 9_999, 1_000_000_000_001, 10_000.5, '10000', Number.NaN])
      expect(budgetFaults(wrong)).toEqual([{ path: 'monthlyMicroUsd', message: expect.any(String) }])
  })
})
