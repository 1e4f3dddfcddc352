import { createMatchyard } from '@matchyard/core'
import { uniqueKey } from '@matchyard/core/ports'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { decideReportMachine } from '../../src/machine/decide'
import { evolveMachine } from '../../src/machine/evolve'
import { MAX_MACHINES } from '../../src/node/machine-view'
import { refusal, refused } from '../control-plane/service'
import { fleet } from './fleet'

const DAY_MS = 86_400_000
const FACTS = { name: 'fra-1', kind: 'agent', host: 'h', peerUrl: null, release: '1', regions: ['fra'] } as const

/** Returns a service with a storage of its own, whose records a test can read. */
async function service(nodeId = 'node-1') {
  const storage = memoryStorage({ data: emptyMemoryData() })
  const clock = new FakeClock()
  let nodes = 0
  const join = async (id: string) => {
    const platform = fakePlatform({ clock, seed: ++nodes })
    const orchestrator = new FakeOrchestrator(clock)
    const matchyard = createMatchyard({ ...platform, orchestrator, nodeId: id, storage, regions: ['fra'] })
    await matchyard.open()
    await matchyard.worker.watchNodes()
    return { matchyard, ...platform }
  }
  const { matchyard, logger, tokens } = await join(nodeId)
  const mint = async (more = {}) => (await matchyard.machines.mintToken({ name: 'fra-1', ...more })).token ?? ''
  const who = (token: string) => matchyard.access.authenticateMachine(token)
  const record = async () => (await storage.get('machine', 'fra-1')) ?? expect.fail('no record')
  return { matchyard, machines: matchyard.machines, storage, clock, logger, tokens, join, mint, who, record }
}

describe('a token of a machine', () => {
  it('makes the record of an agent, and names the machine', async () => {
    const { machines, who } = await service()
    const { machine, token } = await machines.mintToken({ name: 'fra-1' })
    expect(token).toMatch(/^mt_live_[0-9A-Za-z]{36}$/)
    expect(machine).toMatchObject({ id: 'fra-1', name: 'fra-1', kind: 'agent', regions: [], hasToken: true })
    expect(machine).toMatchObject({ status: 'lost', lastSeenAt: null, host: null })
    expect(await who(token ?? '')).toMatchObject({ machineId: 'fra-1' })
    expect(await machines.get({ machineId: 'fra-1' })).toEqual(machine)
  })

  it('is stored as its hash, and in no answer, log line, event or answer of a repeated call', async () => {
    const { matchyard, machines, storage, tokens, logger, record } = await service()
    const told: unknown[] = []
    matchyard.events.on('*', (event) => told.push(event))
    const call = { idempotency: { id: 'mint-1', requestHash: 'h' } }
    const { machine, token } = await machines.mintToken({ name: 'fra-1' }, call)
    const hash = tokens.hash(token ?? '')
    expect((await record()).tokenHash).toBe(hash)
    expect(await machines.mintToken({ name: 'fra-1' }, call)).toEqual({ machine, token: null })
    const shown = [await machines.list({}), await storage.get('idempotency', 'mint-1'), told, logger.lines]
    for (const text of shown.map((value) => JSON.stringify(value))) {
      expect(text).not.toContain(token)
      expect(text).not.toContain(hash)
    }
    expect(JSON.stringify(await record())).not.toContain(token)
  })

  it('that is malformed, unknown, or of another kind is refused, without a read when its form is wrong', async () => {
    const { who, mint, storage } = await service()
    const token = await mint()
    let reads = 0
    const find = storage.find.bind(storage)
    storage.find = (...args) => {
      reads++
      return find(...args)
    }
    const long = `mt_live_${'0'.repeat(100_000)}`
    const wrong = ['', 'mt_live_', token.slice(0, -1), `${token} `, `${token}\n`, token.replace('mt', 'sk'), long]
    for (const text of [...wrong, token.toLowerCase()]) expect(await refusal(who(text))).toBe('INVALID_MACHINE_TOKEN')
    expect(reads).toBe(0)
    const other = await service()
    for (let n = 0; n < 3; n++) await other.machines.mintToken({ name: `other-${n}` })
    expect(await refusal(who(await other.mint()))).toBe('INVALID_MACHINE_TOKEN')
    expect(reads).toBe(1)
  })

  it('is replaced by the next one only when that is wanted, and then ends', async () => {
    const { who, mint, machines } = await service()
    const first = await mint()
    const again = await refused(machines.mintToken({ name: 'fra-1' }))
    expect(again).toMatchObject({
      code: 'CONFLICT',
      detail: expect.stringMatching(/already has a token; with `replace`/),
    })
    expect(await who(first)).toMatchObject({ machineId: 'fra-1' })
    const second = await mint({ replace: true })
    expect(await who(second)).toMatchObject({ machineId: 'fra-1' })
    expect(await refusal(who(first))).toBe('INVALID_MACHINE_TOKEN')
  })

  it('is one of many that are minted at once', async () => {
    const { who, machines } = await service()
    const minted = await Promise.allSettled([1, 2, 3, 4].map(() => machines.mintToken({ name: 'fra-1' })))
    const made = minted.flatMap((one) => (one.status === 'fulfilled' ? [one.value.token ?? ''] : []))
    expect(made).toHaveLength(1)
    expect(await who(made[0] ?? '')).toMatchObject({ machineId: 'fra-1' })
  })

  it('ends by its revocation, which may be repeated; the record stays and gets another token', async () => {
    const { who, mint, machines } = await service()
    const token = await mint()
    expect(await machines.revokeToken({ machineId: 'fra-1' })).toMatchObject({ kind: 'agent', hasToken: false })
    expect(await machines.revokeToken({ machineId: 'fra-1' })).toMatchObject({ hasToken: false })
    expect(await refusal(who(token))).toBe('INVALID_MACHINE_TOKEN')
    expect(await who(await mint())).toMatchObject({ machineId: 'fra-1' })
    expect(await refusal(machines.revokeToken({ machineId: 'fra-2' }))).toBe('MACHINE_NOT_FOUND')
  })

  it('ends with the record of its machine', async () => {
    const { who, mint, machines, storage, tokens } = await service()
    const token = await mint()
    await machines.remove({ machineId: 'fra-1' })
    expect(await refusal(who(token))).toBe('INVALID_MACHINE_TOKEN')
    expect(await storage.find('machine', uniqueKey.machineToken(tokens.hash(token)))).toBeUndefined()
    expect(await who(await mint())).toMatchObject({ machineId: 'fra-1' })
  })

  it('is kept by the reports of the agent, and by a cordon and an uncordon', async () => {
    const { mint, machines, record } = await service()
    await mint()
    const minted = await record()
    const reported = evolveMachine(minted, decideReportMachine(minted, FACTS), 5)
    expect(reported).toMatchObject({ ...FACTS, tokenHash: minted.tokenHash })
    await machines.cordon({ machineId: 'fra-1' })
    await machines.drain({ machineId: 'fra-1' })
    await machines.uncordon({ machineId: 'fra-1' })
    expect(await record()).toMatchObject({ kind: 'agent', tokenHash: minted.tokenHash, status: 'ready' })
  })

  it('keeps the record of a lost machine, which is removed 30 days after it was lost when the token is revoked', async () => {
    const given = await fleet({ a: ['fra'] })
    const { token } = await given.first.machines.mintToken({ name: 'fra-1' })
    const ids = async () => (await given.first.machines.list({})).map(({ id }) => id)
    await given.pass(340)
    given.clock.advance(31 * DAY_MS)
    await given.pass(340)
    expect(await ids()).toEqual(['a', 'fra-1'])
    expect(await given.first.access.authenticateMachine(token ?? '')).toMatchObject({ machineId: 'fra-1' })
    await given.first.machines.revokeToken({ machineId: 'fra-1' })
    await given.pass(340)
    expect(await ids()).toEqual(['a'])
  })

  it('is for no node and no cluster', async () => {
    const { machines } = await service('node-1')
    const conflict = await refused(machines.mintToken({ name: 'node-1', replace: true }))
    expect(conflict).toMatchObject({ code: 'CONFLICT', detail: expect.stringMatching(/node-1 is a node/) })
    expect(await machines.get({ machineId: 'node-1' })).toMatchObject({ kind: 'node', hasToken: false })
  })

  it('ends when a node starts under the name of the machine, which the node logs', async () => {
    const { who, mint, machines, join } = await service()
    const token = await mint()
    const { logger } = await join('fra-1')
    expect(await machines.get({ machineId: 'fra-1' })).toMatchObject({ kind: 'node', hasToken: false })
    expect(await refusal(who(token))).toBe('INVALID_MACHINE_TOKEN')
    expect(JSON.stringify(logger.lines)).toContain('this node has the name of an agent')
  })

  it('needs a name that a node could have', async () => {
    const { machines } = await service()
    for (const name of ['', '-a', 'a/b', 'a b', 'ä', 'a\n', 'a'.repeat(65)])
      expect(await refusal(machines.mintToken({ name }))).toBe('VALIDATION_FAILED')
    for (const name of ['a', 'A.b_c-9', 'a'.repeat(64)])
      expect((await machines.mintToken({ name })).machine.id).toBe(name)
  })

  it('makes at most a thousand machines', async () => {
    const { machines } = await service()
    for (let n = 1; n < MAX_MACHINES; n++) await machines.mintToken({ name: `m-${n}` })
    const full = await refused(machines.mintToken({ name: 'one-more' }))
    expect(full).toMatchObject({ code: 'CONFLICT', detail: expect.stringContaining('1000 machines') })
    expect((await machines.mintToken({ name: 'm-1', replace: true })).token).not.toBeNull()
  })

  it('is for operators', async () => {
    const { matchyard, machines } = await service()
    const wish = { password: 'long enough', name: 'A' }
    const { id: accountId } = await matchyard.accounts.create({ ...wish, email: 'dev@example.com' })
    expect(await refusal(machines.mintToken({ accountId, name: 'fra-1' }))).toBe('NOT_FOUND')
    expect(await refusal(machines.revokeToken({ accountId, machineId: 'node-1' }))).toBe('NOT_FOUND')
    expect((await machines.list({})).map(({ id }) => id)).toEqual(['node-1'])
    const boss = await matchyard.accounts.create({ ...wish, email: 'boss@example.com', operator: true })
    expect((await machines.mintToken({ accountId: boss.id, name: 'fra-1' })).token).not.toBeNull()
  })
})
