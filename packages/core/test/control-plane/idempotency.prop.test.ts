import { createMatchyard, ServiceError } from '@matchyard/core'
import { OutcomeUnknown, type Storage, StorageUnavailable } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeRandom, fakePlatform } from '@matchyard/testkit'
import { expect, test } from 'vitest'
import { CARD } from '../billing/account'

/** Number of calls that are repeated until they are answered; a full proof has 10,000. */
const ROUNDS = Number(process.env.MATCHYARD_PROVE ?? 1_000)
const SEED = Number(process.env.MATCHYARD_SEED ?? Date.now() % 1_000_000)

/** Each of a hundred callers makes few enough calls that all of their records are kept. */
const ownerOf = (round: number): string => `caller ${round % 100}`

/**
 * Returns a storage that fails in several ways: before a commit; after it, with the answer lost; or with its process. The caller gets an
 * error, or does not learn the outcome at all.
 */
function failing(storage: Storage, random: FakeRandom): Storage {
  const commit: Storage['commit'] = async (value) => {
    const fate = random.int(10)
    if (fate === 0) throw new StorageUnavailable('not now')
    if (fate === 1) throw new Error('crashed before the commit')
    const result = await storage.commit(value)
    if (fate === 2) throw new OutcomeUnknown(value.id)
    if (fate === 3) throw new Error('crashed after the commit')
    return result
  }
  return new Proxy(storage, { get: (target, key) => (key === 'commit' ? commit : Reflect.get(target, key)) })
}

async function installation() {
  const random = new FakeRandom(SEED)
  const clock = new FakeClock()
  const sound = memoryStorage()
  const payments = {
    name: 'test',
    attach: async () => ({ ok: true, customerId: 'cus_1', paymentMethod: CARD }) as const,
  }
  // Two nodes use one storage, and neither knows the other's calls under way.
  const [first, second] = [1, 2].map((seed) => {
    const platform = fakePlatform({ seed, clock })
    return createMatchyard({ ...platform, storage: failing(sound, random), payments, nodeId: `node-${seed}` })
  }) as [ReturnType<typeof createMatchyard>, ReturnType<typeof createMatchyard>]
  const setUp = createMatchyard({ ...fakePlatform({ seed: 3, clock }), storage: sound, payments })
  const { account } = await setUp.accounts.register({
    email: 'ann@example.com',
    password: 'correct horse',
    name: 'Ann',
  })
  return { nodes: [first, second] as const, random, setUp, storage: sound, accountId: account.id, clock }
}

test(`${ROUNDS} calls repeated through crashes, on two nodes and at once, have one effect each (seed ${SEED})`, async () => {
  const { nodes, random, storage, accountId, clock } = await installation()
  const effects = new Map<string, Set<string>>()

  for (let round = 0; round < ROUNDS; round++) {
    const call = { idempotency: { id: `key-${round}`, requestHash: `body-${round}`, owner: ownerOf(round) } }
    const attempt = async () => {
      const node = nodes[random.int(2) as 0 | 1]
      const { project } = await node.projects.create({ accountId, name: `project ${round}` }, call)
      return project.id
    }
    const answers = new Set<string>()
    for (let tries = 0; answers.size === 0 || random.int(3) === 0; tries++) {
      expect(tries, 'a call was never answered').toBeLessThan(200)
      // Sometimes the caller repeats the call before its first try has ended.
      const results = await Promise.allSettled(Array.from({ length: 1 + random.int(3) }, attempt))
      for (const result of results) {
        if (result.status === 'fulfilled') answers.add(result.value)
        else if (result.reason instanceof ServiceError)
          expect(['CONFLICT', 'UNAVAILABLE']).toContain(result.reason.code)
        else expect(String(result.reason)).toContain('crashed')
      }
      clock.advance(random.int(1_000))
    }
    effects.set(`project ${round}`, answers)
  }

  const made = new Map<string, string[]>()
  for (const { name, id } of await storage.projects.listAll(accountId)) made.set(name, [...(made.get(name) ?? []), id])
  expect(made.size).toBe(ROUNDS)
  for (const [name, answers] of effects) expect([...answers], name).toEqual(made.get(name))
})

test(`${ROUNDS} changes of one name, repeated through crashes and held back past later ones, never undo each other (seed ${SEED})`, async () => {
  const { nodes, random, setUp, storage, clock } = await installation()
  const { id: projectId } = await setUp.projects.ensure({ name: 'arena' })
  await setUp.queues.create({ projectId, queueId: 'duel', name: 'no name yet' })
  /** Changes that were answered, whose second copies may still arrive. */
  const held: { readonly attempt: () => Promise<string>; readonly name: string }[] = []

  for (let round = 0; round < ROUNDS; round++) {
    const name = `name ${round}`
    const call = { idempotency: { id: `key-${round}`, requestHash: name, owner: ownerOf(round) } }
    const attempt = async () => {
      const node = nodes[random.int(2) as 0 | 1]
      return (await node.queues.update({ projectId, queueId: 'duel', changes: { name } }, call)).name
    }
    expect(await untilAnswered(attempt)).toBe(name)
    held.push({ attempt, name })
    // Some copies arrive only now, in any order.
    for (let late = random.int(3); late > 0; late--) {
      const [copy] = held.splice(random.int(held.length), 1)
      if (copy !== undefined) expect(await untilAnswered(copy.attempt)).toBe(copy.name)
    }
    expect((await storage.get('queue', `${projectId}/duel`))?.name).toBe(name)
    clock.advance(random.int(1_000))
  }
})

/** Repeats a call as a client does, until it gets an answer: the only refusal is that the outcome is not known yet. */
async function untilAnswered<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < 200; tries++) {
    try {
      return await call()
    } catch (error) {
      if (error instanceof ServiceError) expect(['CONFLICT', 'UNAVAILABLE']).toContain(error.code)
      else expect(String(error)).toContain('crashed')
    }
  }
  throw new Error('a call was never answered')
}
