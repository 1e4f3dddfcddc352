import { readdirSync, readFileSync } from 'node:fs'
import type { Commit, Storage } from '@matchyard/core/ports'
import { expect, test } from 'vitest'
import { emptyMemoryData, memoryStorage } from '../src/index'

const folder = new URL('../src/', import.meta.url)

test('the adapter has no timers, clock or chance of its own, and imports the core alone', () => {
  for (const file of readdirSync(folder)) {
    const text = readFileSync(new URL(file, folder), 'utf8')
    expect(text, file).not.toMatch(/\b(Date|setTimeout|setInterval|setImmediate|Math\.random|crypto|process\.\w+)\b/)
    for (const [, from] of text.matchAll(/ from '([^']+)'/g)) expect(from, file).toMatch(/^(@matchyard\/core|\.\/)/)
  }
})

const commit = (n: number): Commit => ({
  id: `commit ${n}`,
  at: n,
  checks: [],
  writes: [],
  counters: [{ id: 'servers', add: 1, atMost: 5 }],
  events: [],
  jobs: [{ id: `job ${n % 3}`, kind: 'work', runAt: n, tenant: '', payload: { n } }],
})

/** Returns all results and signals of two handles, in their order. */
async function transcript(): Promise<string[]> {
  const data = emptyMemoryData()
  const [one, two]: [Storage, Storage] = [memoryStorage({ data }), memoryStorage({ data })]
  const told: string[] = []
  const tell = (what: string) => (value: unknown) => void told.push(`${what}: ${JSON.stringify(value)}`)
  one.subscribe(tell('one hears'))
  two.subscribe(tell('two hears'))
  const calls = Array.from({ length: 9 }, (_, n) => [
    (n % 2 === 0 ? one : two).commit(commit(n)).then(tell('commit')),
    one.jobs
      .claim({
        kinds: ['work'],
        now: n,
        limit: 2,
        leaseMs: 2,
        holder: 'node_a',
        perTenant: 2,
        inHand: new Map(),
      })
      .then(tell('claim')),
    two.metrics(n).then(tell('metrics')),
  ])
  await Promise.all(calls.flat())
  return told
}

test('the same calls give the same answers and signals in the same order', async () => {
  const first = await transcript()
  expect(first.length).toBeGreaterThan(30)
  expect(await transcript()).toEqual(first)
})
