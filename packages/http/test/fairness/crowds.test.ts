import { describe, expect, test } from 'vitest'
import type { Party } from '../../src/fairness/party'
import { type Crowd, CrowdedLoop, type Seen } from '../harness/crowded-loop'

const party = (project: string, key = 'key', address = '10.0.0.1', account = project): Party => ({
  account,
  project,
  key,
  address,
})
const FEW: Crowd = { callers: 2, party: () => party('few') }
const crowdOf = (of: Crowd['party'], callers = 200): Crowd => ({ callers, party: of })
/** Returns the results of 10 seconds, after 2 seconds in which the overload is detected. */
const seenBy = (...crowds: Crowd[]): Seen[] => new CrowdedLoop().run(crowds, 12_000, 2_000)
const p99 = ({ took }: Seen) => took[Math.floor(took.length * 0.99)] ?? Number.POSITIVE_INFINITY

const quiet = seenBy(FEW)[0] as Seen

describe('two callers beside two hundred who never rest', () => {
  test.each<[string, Crowd['party']]>([
    ['of another project', () => party('crowd')],
    ['of another project, from as many addresses', (n) => party('crowd', 'key', `10.0.1.${n}`)],
    ['of another project, with as many keys', (n) => party('crowd', `key ${n}`)],
    ['of as many projects of another account', (n) => party(`crowd ${n}`, 'key', '10.0.0.1', 'crowd')],
    ['with another key of their own project', () => party('few', 'another')],
    ['with their own key, from another address', () => party('few', 'key', '10.0.0.2')],
    ['who are strangers, from as many addresses', (n) => party('', '', `10.0.1.${n}`)],
  ])('%s: have their half of all that is done, no refusals, and wait a few calls at the most', (_whose, of) => {
    const [few, crowd] = seenBy(FEW, crowdOf(of)) as [Seen, Seen]
    expect(few.refused).toBe(0)
    expect(few.answered).toBeGreaterThan(0.5 * quiet.answered)
    expect(p99(few)).toBeLessThan(4 * p99(quiet))
    expect(crowd.answered).toBeGreaterThan(0.05 * quiet.answered)
  })

  test('have little where nobody can tell them from the crowd, which is what the lanes are for', () => {
    const [few] = seenBy(
      FEW,
      crowdOf(() => party('few')),
    ) as [Seen, Seen]
    expect(few.answered).toBeLessThan(0.05 * quiet.answered)
  })
})

test('twenty callers who rest are answered beside sixteen whose answers are a hundred times as long, and never refused', () => {
  const rested: Crowd = { callers: 20, party: () => party('rested'), restMs: 200 }
  const dear: Crowd = { callers: 16, party: () => party('dear'), answerBytes: 1_600 * 1_024 }
  const [few, long] = seenBy(rested, dear) as [Seen, Seen]
  const [alone] = seenBy(rested) as [Seen]
  expect(few.refused).toBe(0)
  expect(few.answered).toBeGreaterThan(0.6 * alone.answered)
  expect(long.answered).toBeGreaterThan(0)
})

test('of what two projects do not use a third has all that is left', () => {
  const rare = (group: string): Crowd => ({ callers: 1, party: () => party(group), restMs: 100 })
  const [first, second, crowd] = seenBy(
    rare('first'),
    rare('second'),
    crowdOf(() => party('crowd')),
  ) as Seen[]
  for (const one of [first, second]) expect(one).toMatchObject({ refused: 0 })
  expect(crowd?.answered).toBeGreaterThan(0.4 * quiet.answered)
})

test('fifty projects have about the same, and one of two callers no less than one of four', () => {
  const [few, crowd] = seenBy(
    FEW,
    crowdOf((n) => party(`project ${n % 50}`)),
  ) as [Seen, Seen]
  expect(few.answered).toBeGreaterThan(crowd.answered / 50)
})

test('strangers have less than a project that wants as much', () => {
  const project = crowdOf(() => party('project'))
  const [strangers, known] = seenBy(
    crowdOf((n) => party('', '', `10.0.1.${n}`)),
    project,
  ) as [Seen, Seen]
  expect(strangers.answered).toBeLessThan(0.6 * known.answered)
  expect(strangers.answered).toBeGreaterThan(0)
})

test('a crowd that there is room for is answered in full, whoever it is', () => {
  const rested: Crowd = { callers: 150, party: () => party('crowd'), restMs: 100 }
  for (const { refused } of seenBy(FEW, rested)) expect(refused).toBe(0)
})
