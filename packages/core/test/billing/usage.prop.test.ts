import { DEFAULT_PRICES, PLANS, type PlanInterval, type PriceTable, TIERS } from '@matchyard/core'
import { addedUp, type UsageSum, usageSumsOf } from '@matchyard/core/ports'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type UsageInput, usageOf } from '../../src/billing/usage'
import { calendarMonth, usageOracle } from './usage-oracle'

/** Number of timelines in an ordinary run; a full proof has 100,000. */
const ROUNDS = Number(process.env.MATCHYARD_PROVE ?? 10_000)

/** Times near which rounding matters: ordinary and leap Februaries, ends of years, of short and of long months. */
const EDGES = [
  '2026-03-01',
  '2028-03-01',
  '2028-02-29',
  '2027-01-01',
  '2026-05-01',
  '2026-08-01',
  '2100-03-01',
  '1970-02-01',
]

const near = (edge: number) => fc.integer({ min: -90_000, max: 90_000 }).map((offset) => edge + offset)
/** Offsets in whole seconds from an edge meet its times exactly. */
const instant = (edge: number) =>
  fc.oneof(
    near(edge),
    fc.integer({ min: -60, max: 60 }).map((seconds) => edge + seconds * 1_000),
    fc.constant(edge),
  )

const priceTable = fc
  .array(fc.integer({ min: 0, max: 400_000 }), { minLength: TIERS.length, maxLength: TIERS.length })
  .map((prices) => Object.fromEntries(TIERS.map((tier, index) => [tier, prices[index] ?? 0])) as unknown as PriceTable)

type Timeline = Omit<UsageInput, 'sums'>

const PROJECTS = ['prj_a', 'prj_b', 'prj_c']

const timeline: fc.Arbitrary<Timeline> = fc.constantFrom(...EDGES).chain((day) => {
  const edge = Date.parse(`${day}T00:00:00Z`)
  const at = instant(edge)
  return fc.record({
    month: fc.constantFrom(calendarMonth(edge - 1), calendarMonth(edge), calendarMonth(edge + 40 * 86_400_000)),
    now: at,
    planHistory: fc
      .array(fc.record({ plan: fc.constantFrom(...PLANS), from: at }), { minLength: 1, maxLength: 5 })
      .map((history) => history.sort((a, b) => a.from - b.from)),
    // A clock that was set back leaves servers that stopped before they ran; they cost nothing.
    servers: fc.array(
      fc.record({
        projectId: fc.constantFrom(...PROJECTS),
        tier: fc.constantFrom(...TIERS),
        runningAt: fc.option(at, { freq: 8 }),
        stoppedAt: fc.option(at, { freq: 2 }),
      }),
      { maxLength: 5 },
    ),
    projects: fc.constant(PROJECTS.map((id) => ({ id, name: `the project ${id}` }))),
    prices: fc.oneof(priceTable, fc.constant(DEFAULT_PRICES)),
  })
})

test(`${ROUNDS} timelines cost what counting second by second says`, () => {
  fc.assert(
    fc.property(timeline, (input) => {
      expect(usageOf({ ...input, sums: [] })).toEqual(usageOracle(input))
    }),
    { numRuns: ROUNDS },
  )
})

/** Returns the sums of the ended servers, as commits add them: each with the plan history that was known when the server ended. */
const addedUpAsTheyEnd = ({ servers, planHistory }: Timeline): UsageSum[] =>
  servers.flatMap(({ projectId, tier, runningAt, stoppedAt }) => {
    if (runningAt === null || stoppedAt === null) return []
    const known = planHistory.filter(({ from }, index) => index === 0 || from < stoppedAt)
    return usageSumsOf({ accountId: 'acc_a', projectId, tier }, { from: runningAt, to: stoppedAt }, known)
  })

test(`${ROUNDS} timelines cost the same where servers are added up as they end`, () => {
  fc.assert(
    fc.property(timeline, (input) => {
      const sums = addedUp(addedUpAsTheyEnd(input))
      const servers = input.servers.filter(({ stoppedAt }) => stoppedAt === null)
      expect(usageOf({ ...input, servers, sums })).toEqual(usageOracle(input))
    }),
    { numRuns: ROUNDS },
  )
})

test('a downgrade that is noticed late prices what was added up before', () => {
  const [april, may] = [Date.UTC(2026, 3, 30, 22), Date.UTC(2026, 4, 1)]
  const meter = { accountId: 'acc_a', projectId: 'prj_a', tier: '1x-1g' } as const
  const history: PlanInterval[] = [{ plan: 'payg', from: 0 }]
  const sums = usageSumsOf(meter, { from: april, to: may + 3_600_000 }, history)
  const noticed: PlanInterval[] = [...history, { plan: 'free', from: may }]
  const projects = [{ id: 'prj_a', name: 'a' }]
  const cost = (month: string) =>
    usageOf({ month, now: may, planHistory: noticed, servers: [], sums, projects, prices: DEFAULT_PRICES })
  expect([cost('2026-04').totalMicroUsd, cost('2026-05').totalMicroUsd]).toEqual([50_000, 0])
})

test('every second of a server counts in exactly one month', () => {
  // At this price a second costs one micro-USD, so that rounding hides no error.
  const prices = Object.fromEntries(TIERS.map((tier) => [tier, 3_600])) as PriceTable
  const hour = 3_600_000
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(2027, 0, 1), max: Date.UTC(2029, 0, 1) }),
      fc.integer({ min: 0, max: 90 * 24 * hour }),
      (runningAt, lasted) => {
        const server = { projectId: 'prj_a', tier: '1x-1g', runningAt, stoppedAt: runningAt + lasted } as const
        const months = new Set<string>()
        for (let at = runningAt; at <= server.stoppedAt + 31 * 24 * hour; at += 24 * hour) months.add(calendarMonth(at))
        const sum = [...months].reduce(
          (seconds, month) =>
            seconds +
            usageOf({
              month,
              now: server.stoppedAt,
              planHistory: [{ plan: 'payg', from: 0 }],
              servers: [server],
              sums: [],
              projects: [{ id: 'prj_a', name: 'a' }],
              prices,
            }).totalMicroUsd,
          0,
        )
        expect(sum).toBe(Math.ceil(lasted / 1_000))
      },
    ),
    { numRuns: Math.max(100, ROUNDS / 10) },
  )
})
