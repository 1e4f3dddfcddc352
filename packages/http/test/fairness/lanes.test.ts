import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_DEBT, MAX_DEBTS } from '../../src/fairness/debts'
import { Lanes } from '../../src/fairness/lanes'
import type { Party } from '../../src/fairness/party'

const party = (project: string, key = 'k', address = 'x', account = project): Party => ({
  account,
  project,
  key,
  address,
})

function linedUp(...names: (readonly [Party, string])[]): Lanes<string> {
  const lanes = new Lanes<string>()
  for (const [of, name] of names) lanes.push(of, name)
  return lanes
}

function all(lanes: Lanes<string>): string[] {
  const taken: string[] = []
  for (let call = lanes.shift(); call !== undefined; call = lanes.shift()) taken.push(call)
  return taken
}

test('accounts have their turn one after the other, within an account keys, and within a key addresses', () => {
  const lanes = linedUp(
    [party('a', 'k'), 'a1'],
    [party('a', 'k'), 'a2'],
    [party('a', 'k', 'y'), 'ay'],
    [party('a', 'l'), 'al'],
    [party('b'), 'b1'],
    [party('b'), 'b2'],
    [party('b'), 'b3'],
  )
  expect(all(lanes)).toEqual(['a1', 'b1', 'al', 'b2', 'ay', 'b3', 'a2'])
  expect(lanes.size).toBe(0)
})

test('strangers have every fourth of their turns while others wait, and all of them else', () => {
  const calls = Array.from({ length: 8 }, (_, n) => [party(''), `s${n}`] as const)
  const others = Array.from({ length: 8 }, (_, n) => [party('a'), `a${n}`] as const)
  expect(all(linedUp(...calls, ...others)).slice(0, 10)).toEqual([
    'a0',
    'a1',
    'a2',
    's0',
    'a3',
    'a4',
    'a5',
    'a6',
    's1',
    'a7',
  ])
  expect(all(linedUp(...calls))).toEqual(calls.map(([, name]) => name))
})

test('each call is taken once, those of one party in the order in which they came, and nothing is left of who has none', () => {
  const name = fc.constantFrom('', 'a', 'b', 'c')
  const step = fc.oneof(fc.tuple(name, name, name), fc.constant(undefined))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const lanes = new Lanes<{ of: string; number: number }>()
      const taken: { of: string; number: number }[] = []
      const take = () => {
        const call = lanes.shift()
        if (call !== undefined) taken.push(call)
      }
      let pushed = 0
      for (const parts of steps) {
        if (parts === undefined) take()
        else lanes.push(party(...parts), { of: parts.join('/'), number: pushed++ })
        expect(lanes.size).toBe(pushed - taken.length)
      }
      while (lanes.size > 0) take()
      expect(taken.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
        Array.from({ length: pushed }, (_, n) => n),
      )
      for (const of of new Set(taken.map((call) => call.of))) {
        const numbers = taken.filter((call) => call.of === of).map(({ number }) => number)
        expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
      }
      expect(lanes.accountCount).toBe(0)
      expect(['', 'a', 'b', 'c'].map((account) => lanes.sizeOf(account))).toEqual([0, 0, 0, 0])
    }),
  )
})

test('what stands before a newcomer is at the most a call for each lane of each level, or all', () => {
  const lanes = linedUp([party('a'), '1'], [party('a'), '2'], [party('a'), '3'], [party('b', 'k'), '4'])
  expect(lanes.ahead(party('c'))).toBe(2)
  expect(lanes.ahead(party('b', 'l'))).toBe(3)
  expect(lanes.ahead(party('a'))).toBe(4)
  expect(new Lanes().ahead(party('a'))).toBe(0)
})

test('the projects of one account have its turns among them', () => {
  const ofOne = (project: string) => party(project, 'k', 'x', 'one')
  const lanes = linedUp(
    [ofOne('p'), 'p1'],
    [ofOne('p'), 'p2'],
    [ofOne('q'), 'q1'],
    [party('other'), 'o1'],
    [party('other'), 'o2'],
  )
  expect(all(lanes)).toEqual(['p1', 'o1', 'q1', 'o2', 'p2'])
})

describe('a lane that owes turns', () => {
  const calls = (of: Party, name: string, count: number) =>
    Array.from({ length: count }, (_, n) => [of, `${name}${n}`] as const)

  test('passes as many while others wait beside it, and none when it is alone', () => {
    const lanes = linedUp(...calls(party('dear'), 'd', 3), ...calls(party('few'), 'f', 5))
    lanes.charge(party('dear'), 3)
    expect(all(lanes)).toEqual(['f0', 'f1', 'f2', 'd0', 'f3', 'd1', 'f4', 'd2'])
    expect(lanes.debtors).toBe(0)
  })

  test('is that of the key and of the address as well', () => {
    const lanes = linedUp(...calls(party('a', 'k', 'dear'), 'd', 2), ...calls(party('a', 'k', 'other'), 'o', 3))
    lanes.charge(party('a', 'k', 'dear'), 2)
    expect(all(lanes)).toEqual(['o0', 'o1', 'd0', 'o2', 'd1'])
  })

  test('is that of one address alone among strangers', () => {
    const lanes = linedUp(...calls(party('', '', 'dear'), 'd', 2), ...calls(party('', '', 'other'), 'o', 3))
    lanes.charge(party('', '', 'dear'), 2)
    expect(lanes.debtors).toBe(1)
    expect(all(lanes)).toEqual(['o0', 'o1', 'd0', 'o2', 'd1'])
  })

  test('owes nothing where no call waits, and no more than its bound', () => {
    const lanes = new Lanes<string>()
    lanes.charge(party('dear'), 3)
    expect(lanes.debtors).toBe(0)
    lanes.push(party('few'), 'f')
    for (let n = 0; n <= MAX_DEBTS; n++) lanes.charge(party(`dear ${n}`), 5 * MAX_DEBT)
    expect(lanes.debtors).toBe(MAX_DEBTS)
    lanes.push(party('dear 0'), 'd')
    expect(lanes.ahead(party('dear 0'))).toBe(2)
    expect(all(lanes)).toEqual(['f', 'd'])
    expect(lanes.debtors).toBe(0)
  })
})
