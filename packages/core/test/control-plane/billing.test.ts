import { describe, expect, test } from 'vitest'
import { controlPlane, refusal, refused, tally } from './service'

const MARCH = Date.UTC(2026, 2, 1)
const APRIL = Date.UTC(2026, 3, 1)
const HOUR = 3_600_000

describe('the plan', () => {
  test('of a new account is free, with the limits of the specification', async () => {
    const { matchyard, account } = await controlPlane()
    const { accountId } = await account()
    expect(await matchyard.billing.plan({ accountId })).toEqual({
      plan: 'free',
      limits: {
        maxConcurrentServers: 1,
        maxTier: '1x-1g',
        maxServerTtl: 1_800,
        regions: ['iad'],
        maxBuilds: 5,
        queuesEnabled: false,
        lobbiesEnabled: false,
        matchmakingEnabled: false,
        paymentMethodRequired: false,
      },
      currentPeriodStart: MARCH,
      currentPeriodEnd: APRIL,
      pendingPlan: null,
      paymentMethod: null,
    })
  })

  test('goes up at once, with a card', async () => {
    const { matchyard, account, charged, told } = await controlPlane()
    const { accountId } = await account()
    const upgrade = (token?: string) => matchyard.billing.upgrade({ accountId, plan: 'pro', paymentMethodToken: token })
    expect(await refusal(upgrade())).toBe('PAYMENT_METHOD_REQUIRED')
    expect(await refusal(upgrade('pm_bad'))).toBe('PAYMENT_METHOD_REQUIRED')
    const status = await upgrade('pm_good')
    expect(status).toMatchObject({ plan: 'pro', limits: { maxBuilds: -1 }, paymentMethod: { last4: '4242' } })
    expect((await matchyard.accounts.get({ accountId })).plan).toBe('pro')
    expect(told).toContainEqual(expect.objectContaining({ type: 'plan_changed', accountId, plan: 'pro' }))
    // The processor is not called for an upgrade that is not possible.
    expect(await refusal(upgrade('pm_good'))).toBe('INVALID_PLAN_CHANGE')
    expect(charged).toEqual(['pm_bad', 'pm_good'])
  })

  test('goes up with the card on file', async () => {
    const { matchyard, account } = await controlPlane()
    const { accountId } = await account('payg')
    expect(await matchyard.billing.upgrade({ accountId, plan: 'pro' })).toMatchObject({ plan: 'pro' })
  })

  test('asked to go up at once by many goes up once, and the card is attached', async () => {
    const { matchyard, account } = await controlPlane()
    const { accountId } = await account()
    const calls = Array.from({ length: 8 }, () =>
      matchyard.billing.upgrade({ accountId, plan: 'payg', paymentMethodToken: 'pm_good' }),
    )
    expect(await tally(calls)).toEqual({ ok: 1, INVALID_PLAN_CHANGE: 7 })
  })

  test('does not go up while the processor is away, and the token is not logged', async () => {
    const payments = { name: 'away', attach: () => Promise.reject(new Error('no answer for pm_secret')) }
    const { matchyard, account, logger } = await controlPlane({ payments })
    const { accountId } = await account()
    const call = matchyard.billing.upgrade({ accountId, plan: 'payg', paymentMethodToken: 'pm_secret' })
    expect(JSON.stringify(await refused(call))).not.toContain('pm_secret')
    expect(await refusal(matchyard.billing.upgrade({ accountId, plan: 'payg', paymentMethodToken: 'x' }))).toBe(
      'UNAVAILABLE',
    )
    expect(JSON.stringify(logger.lines)).not.toContain('pm_secret')
    expect((await matchyard.billing.plan({ accountId })).plan).toBe('free')
  })

  test('goes down at the end of the period, and keeps its capability until then', async () => {
    const { matchyard, account, clock, settle } = await controlPlane()
    const { accountId } = await account('pro')
    const status = await matchyard.billing.downgrade({ accountId, plan: 'free' })
    expect(status).toMatchObject({ plan: 'pro', pendingPlan: 'free', limits: { queuesEnabled: true } })
    clock.advanceTo(APRIL - 1)
    await settle()
    expect(await matchyard.billing.plan({ accountId })).toMatchObject({ plan: 'pro', pendingPlan: 'free' })
    clock.advance(1)
    // The first read is before the job has run, the second after it.
    const after = { plan: 'free', pendingPlan: null, currentPeriodStart: APRIL, limits: { queuesEnabled: false } }
    expect(await matchyard.billing.plan({ accountId })).toMatchObject(after)
    await settle()
    expect(await matchyard.billing.plan({ accountId })).toMatchObject(after)
  })

  test('keeps to a cleared downgrade, and an upgrade clears it too', async () => {
    const { matchyard, account, clock, settle } = await controlPlane()
    const [ann, bob] = [await account('pro'), await account('payg')]
    await matchyard.billing.downgrade({ accountId: ann.accountId, plan: 'payg' })
    expect(await refusal(matchyard.billing.upgrade({ accountId: ann.accountId, plan: 'pro' }))).toBe(
      'INVALID_PLAN_CHANGE',
    )
    expect(await matchyard.billing.downgrade({ accountId: ann.accountId, plan: 'pro' })).toMatchObject({
      pendingPlan: null,
    })
    await matchyard.billing.downgrade({ accountId: bob.accountId, plan: 'free' })
    await matchyard.billing.upgrade({ accountId: bob.accountId, plan: 'pro' })
    clock.advanceTo(APRIL + HOUR)
    await settle()
    for (const { accountId } of [ann, bob]) {
      expect(await matchyard.billing.plan({ accountId })).toMatchObject({ plan: 'pro', pendingPlan: null })
    }
  })

  test('asked to go down to a higher one is refused', async () => {
    const { matchyard, account } = await controlPlane()
    const { accountId } = await account('payg')
    expect(await refusal(matchyard.billing.downgrade({ accountId, plan: 'pro' }))).toBe('INVALID_PLAN_CHANGE')
  })
})

describe('the end of the period', () => {
  test('is applied once and from its own instant, also when the service was down then', async () => {
    const { matchyard, account, clock, settle, storage, told } = await controlPlane()
    const { accountId } = await account('pro')
    await matchyard.billing.downgrade({ accountId, plan: 'payg' })
    clock.advanceTo(APRIL + 72 * HOUR)
    await Promise.all([settle(), settle(), matchyard.billing.upgrade({ accountId, plan: 'pro' })])
    await settle()
    const history = (await storage.get('account', accountId))?.planHistory
    expect(history).toEqual([
      { plan: 'free', from: MARCH },
      { plan: 'pro', from: MARCH },
      { plan: 'payg', from: APRIL },
      { plan: 'pro', from: APRIL + 72 * HOUR },
    ])
    expect(told.filter((event) => event.type === 'plan_changed').map((event) => event.plan)).toEqual([
      'pro',
      'payg',
      'pro',
    ])
  })

  test('caps running and launching servers to the new ttl counted from it, and no others', async () => {
    const { matchyard, account, clock, settle, build, orchestrator } = await controlPlane()
    const { accountId } = await account('payg')
    const { project } = await matchyard.projects.create({ accountId, name: 'Arena' })
    const projectId = project.id
    await build(projectId)
    await matchyard.billing.downgrade({ accountId, plan: 'free' })
    const launch = (ttlSeconds?: number) => matchyard.servers.create({ projectId, versionTag: 'arena', ttlSeconds })
    clock.advanceTo(APRIL - 10 * 60_000)
    const endless = await launch()
    const short = await launch(1_200)
    const long = await launch(7 * 24 * 3_600)
    await settle()
    clock.advanceTo(APRIL - 1_000)
    orchestrator.script = () => 'starting'
    const launching = await launch()
    await settle()
    clock.advanceTo(APRIL + 20_000)
    await settle()
    orchestrator.makeReady(launching.id)
    await settle()
    const expiryOf = async ({ id }: { id: string }) => {
      const { status, expiresAt } = await matchyard.servers.get({ projectId, instanceId: id })
      expect(status).toBe('running')
      return expiresAt
    }
    const cap = APRIL + 30 * 60_000
    expect(await expiryOf(endless)).toBe(cap)
    expect(await expiryOf(short)).toBe(APRIL + 10 * 60_000)
    expect(await expiryOf(long)).toBe(cap)
    expect(await expiryOf(launching)).toBe(cap)
    // The running servers exceed the limit of the plan `free` and continue, but another one is refused.
    expect(await refusal(launch())).toBe('PLAN_LIMIT_EXCEEDED')
    clock.advanceTo(cap)
    await settle()
    expect((await matchyard.servers.get({ projectId, instanceId: endless.id })).status).toBe('stopped')
  })

  test('caps at once what has outlived the cap while the service was down', async () => {
    const { matchyard, account, clock, settle, build } = await controlPlane()
    const { accountId } = await account('payg')
    const { project } = await matchyard.projects.create({ accountId, name: 'Arena' })
    const projectId = project.id
    await build(projectId)
    await matchyard.billing.downgrade({ accountId, plan: 'free' })
    const { id } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    await settle()
    clock.advanceTo(APRIL + 5 * HOUR)
    await settle()
    expect((await matchyard.servers.get({ projectId, instanceId: id })).status).toBe('stopped')
  })
})

describe('usage', () => {
  test('meters servers of every project, to now while they run, and keeps deleted projects', async () => {
    const { matchyard, account, clock, settle, build } = await controlPlane()
    const { accountId } = await account('pro')
    const create = async (name: string) => {
      const { project } = await matchyard.projects.create({ accountId, name })
      await build(project.id)
      return project.id
    }
    const [arena, lobby] = [await create('Arena'), await create('Lobby')]
    const launch = (projectId: string) => matchyard.servers.create({ projectId, versionTag: 'arena', tier: '2x-2g' })
    const first = await launch(arena)
    await settle()
    clock.advance(2 * HOUR)
    await matchyard.servers.stop({ projectId: arena, instanceId: first.id })
    await settle()
    await matchyard.projects.delete({ accountId, projectId: arena })
    await launch(lobby)
    await settle()
    clock.advance(HOUR)
    expect(await matchyard.billing.usage({ accountId })).toEqual({
      month: '2026-03',
      hasMore: false,
      totalMicroUsd: 150_000,
      creditMicroUsd: 150_000,
      balanceMicroUsd: 0,
      projects: [
        { projectId: arena, name: 'Arena', microUsd: 100_000 },
        { projectId: lobby, name: 'Lobby', microUsd: 50_000 },
      ],
    })
    clock.advance(HOUR)
    expect((await matchyard.billing.usage({ accountId })).totalMicroUsd).toBe(200_000)
  })

  test('of a month to come, and of another account, is nothing', async () => {
    const { matchyard, account, project, build, settle, clock } = await controlPlane()
    const { accountId, projectId } = await project('pro')
    const stranger = await account('pro')
    await build(projectId)
    await matchyard.servers.create({ projectId, versionTag: 'arena' })
    await settle()
    clock.advance(HOUR)
    const zeros = { hasMore: false, totalMicroUsd: 0, creditMicroUsd: 0, balanceMicroUsd: 0, projects: [] }
    expect(await matchyard.billing.usage({ accountId, month: '2026-04' })).toEqual({ month: '2026-04', ...zeros })
    expect(await matchyard.billing.usage({ accountId, month: '9999-12' })).toEqual({ month: '9999-12', ...zeros })
    expect(await matchyard.billing.usage({ accountId, month: '0001-01' })).toEqual({ month: '0001-01', ...zeros })
    expect(await matchyard.billing.usage({ accountId: stranger.accountId })).toEqual({ month: '2026-03', ...zeros })
  })

  test.each(['2026-13', '2026-00', '26-03', '2026-3', '2026-03-01', ''])('of %j is no month', async (month) => {
    const { matchyard, account } = await controlPlane()
    const { accountId } = await account()
    expect(await refusal(matchyard.billing.usage({ accountId, month }))).toBe('VALIDATION_FAILED')
  })
})
