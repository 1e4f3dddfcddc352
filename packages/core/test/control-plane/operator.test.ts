import { createMatchyard } from '@matchyard/core'
import { StorageUnavailable } from '@matchyard/core/ports'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { fakePlatform } from '@matchyard/testkit'
import { describe, expect, test } from 'vitest'
import { controlPlane, refusal, refused, withProject } from './service'

const ann = { email: 'Ann@Example.com', password: 'correct horse', name: 'Ann' }
const HOUR = 3_600_000

describe('an account that an operator makes', () => {
  test('is on pro to callers, by the tariff of the operator, and logs in', async () => {
    const { matchyard } = await controlPlane()
    const made = await matchyard.accounts.create(ann)
    expect(made).toMatchObject({ email: 'ann@example.com', plan: 'pro', tariff: 'self_hosted' })
    const { account } = await matchyard.accounts.login(ann)
    expect(account).toEqual(made)
    const status = await matchyard.billing.plan({ accountId: made.id })
    expect(status).toMatchObject({ plan: 'pro', tariff: 'self_hosted', paymentMethod: null, pendingPlan: null })
    expect(status.limits).toMatchObject({ maxConcurrentServers: -1, maxBuilds: -1, paymentMethodRequired: false })
    expect(await refusal(matchyard.accounts.create(ann))).toBe('EMAIL_TAKEN')
    expect(await refusal(matchyard.accounts.create({ ...ann, email: 'x', password: 'x' }))).toBe('VALIDATION_FAILED')
  })

  test('is held to the limits of the installation, as they are now', async () => {
    const plane = await controlPlane({ operatorLimits: { maxConcurrentServers: 1, maxTier: '1x-1g', maxBuilds: 1 } })
    const { matchyard } = plane
    const { id: accountId } = await matchyard.accounts.create(ann)
    const { project } = await matchyard.projects.create({ accountId, name: 'Arena' })
    const projectId = project.id
    await plane.build(projectId)
    expect((await refused(matchyard.builds.createUpload({ projectId, name: 'b', executablePath: 's' }))).detail).toBe(
      'this installation allows 1 build; delete a build',
    )
    const large = await refused(matchyard.servers.create({ projectId, versionTag: 'arena', tier: '4x-4g' }))
    expect([large.code, large.details.limit]).toEqual(['PLAN_LIMIT_EXCEEDED', 'max_tier'])
    expect(large.detail).toMatch(/^this installation allows server tiers up to 1x-1g/)
    await matchyard.servers.create({ projectId, versionTag: 'arena' })
    const second = await refused(matchyard.servers.create({ projectId, versionTag: 'arena' }))
    expect([second.code, second.details.limit]).toEqual(['PLAN_LIMIT_EXCEEDED', 'max_concurrent_servers'])
    expect((await matchyard.billing.plan({ accountId })).limits).toMatchObject({ maxBuilds: 1, maxServerTtl: -1 })
    // The account stores the tariff, never its limits.
    expect(JSON.stringify(await plane.storage.get('account', accountId))).not.toContain('maxBuilds')
  })

  test('is charged nothing, and what it was on before is charged as it was', async () => {
    const plane = await controlPlane()
    const { matchyard, clock } = plane
    const { id: accountId } = await matchyard.accounts.create(ann)
    const { project } = await matchyard.projects.create({ accountId, name: 'Arena' })
    await plane.build(project.id)
    await matchyard.servers.create({ projectId: project.id, versionTag: 'arena', tier: '8x-32g' })
    await plane.settle()
    clock.advance(HOUR)
    const usage = () => matchyard.billing.usage({ accountId })
    expect(await usage()).toMatchObject({ totalMicroUsd: 0, creditMicroUsd: 0, balanceMicroUsd: 0, projects: [] })
    await matchyard.billing.setPlan({ accountId, plan: 'payg' })
    clock.advance(HOUR)
    const paid = await usage()
    expect(paid.totalMicroUsd).toBe(8 * 20_000 + 32 * 5_000)
    await matchyard.billing.setPlan({ accountId, plan: 'self_hosted' })
    clock.advance(HOUR)
    expect(await usage()).toEqual(paid)
  })

  test('cannot be bought, nor sold', async () => {
    const { matchyard, account } = await controlPlane()
    const { id: accountId } = await matchyard.accounts.create(ann)
    for (const plan of ['free', 'payg'] as const) {
      expect((await refused(matchyard.billing.downgrade({ accountId, plan }))).detail).toMatch(
        /operator of this installation/,
      )
      expect(await refusal(matchyard.billing.upgrade({ accountId, plan, paymentMethodToken: 'pm_good' }))).toBe(
        'INVALID_PLAN_CHANGE',
      )
    }
    expect(await refusal(matchyard.billing.upgrade({ accountId, plan: 'pro' }))).toBe('INVALID_PLAN_CHANGE')
    expect((await matchyard.billing.downgrade({ accountId, plan: 'pro' })).pendingPlan).toBeNull()
    const bought = await account('pro')
    expect(await matchyard.billing.plan({ accountId: bought.accountId })).not.toHaveProperty('tariff')
  })

  test('an operator sets any plan, at once and without a card, and what was pending is cleared', async () => {
    const { matchyard, account, told } = await controlPlane()
    const { accountId } = await account('pro')
    await matchyard.billing.downgrade({ accountId, plan: 'free' })
    const set = await matchyard.billing.setPlan({ accountId, plan: 'self_hosted' })
    expect(set).toMatchObject({ plan: 'pro', tariff: 'self_hosted', pendingPlan: null })
    const free = await matchyard.billing.setPlan({ accountId, plan: 'free' })
    expect(free).toMatchObject({ plan: 'free', limits: { queuesEnabled: false } })
    expect(free).not.toHaveProperty('tariff')
    const before = told.length
    await matchyard.billing.setPlan({ accountId, plan: 'free' })
    expect(told).toHaveLength(before)
  })

  test('servers from before go on, no longer than the plan that is set lets one live', async () => {
    const { matchyard, projectId, accountId, build, settle, clock } = await withProject('pro')
    await build(projectId)
    const server = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    await settle()
    clock.advance(1)
    await matchyard.billing.setPlan({ accountId, plan: 'free' })
    await settle()
    const { expiresAt } = await matchyard.servers.get({ projectId, instanceId: server.id })
    expect(expiresAt).toBe(clock.now() + 1_800_000)
  })

  test('they are judged by the limits of the service, whatever the operator’s own shell says', async () => {
    const data = emptyMemoryData()
    const plane = await controlPlane({ storage: memoryStorage({ data }) })
    const { projectId, accountId } = await plane.project('pro')
    await plane.build(projectId)
    const { id } = await plane.matchyard.servers.create({ projectId, versionTag: 'arena' })
    await plane.settle()
    const storage = memoryStorage({ data })
    const operator = createMatchyard({ ...fakePlatform({ seed: 2 }), storage, operatorLimits: { maxServerTtl: 60 } })
    await operator.billing.setPlan({ accountId, plan: 'self_hosted' })
    await plane.settle()
    expect((await plane.matchyard.servers.get({ projectId, instanceId: id })).expiresAt).toBeNull()
  })

  test('a plan that nobody knows is refused before anything is written', async () => {
    const { matchyard, account } = await controlPlane()
    const { accountId } = await account('pro')
    const plan = 'self-hosted' as 'self_hosted'
    const message = 'VALIDATION_FAILED: plan: must be one of self_hosted, free, payg, pro'
    await expect(matchyard.billing.setPlan({ accountId, plan })).rejects.toThrow(message)
    await expect(matchyard.accounts.create({ ...ann, plan })).rejects.toThrow(message)
    const bought = plan as 'free'
    expect(await refusal(matchyard.billing.downgrade({ accountId, plan: bought }))).toBe('VALIDATION_FAILED')
    expect(await refusal(matchyard.billing.upgrade({ accountId, plan: bought }))).toBe('VALIDATION_FAILED')
    expect(await refusal(matchyard.projects.ensure({ name: 'Arena', plan: bought }))).toBe('VALIDATION_FAILED')
    expect(await matchyard.billing.plan({ accountId })).toMatchObject({ plan: 'pro', pendingPlan: null })
    expect((await matchyard.accounts.list()).total).toBe(1)
  })

  test('an account comes with its project, keys and queue in one commit, or not at all', async () => {
    const storage = memoryStorage()
    const { commit } = storage
    let commits = 0
    let refuse = false
    const counting: typeof storage = Object.assign(storage, {
      commit: async (value: Parameters<typeof commit>[0]) => {
        commits++
        if (refuse) throw new StorageUnavailable('it is down')
        return commit.call(storage, value)
      },
    })
    const { matchyard } = await controlPlane({ storage: counting })
    const project = { name: 'Arena', queue: { queueId: 'duel', name: 'Duel' } }
    commits = 0
    refuse = true
    expect(await refusal(matchyard.accounts.create({ ...ann, project }))).toBe('UNAVAILABLE')
    refuse = false
    commits = 0
    const { first, ...made } = await matchyard.accounts.create({ ...ann, project })
    expect(commits).toBe(1)
    const projectId = first?.project.id ?? ''
    expect((await matchyard.projects.get({ accountId: made.id, projectId })).name).toBe('Arena')
    const kinds = first?.keys.map(async ({ value }) => (await matchyard.access.authenticateKey(value ?? '')).kind) ?? []
    expect(await Promise.all(kinds)).toEqual(['client', 'server'])
    expect((await matchyard.queues.get({ projectId, queueId: 'duel' })).name).toBe('Duel')

    const other = { ...ann, email: 'bob@example.com' }
    const noName = await refused(matchyard.accounts.create({ ...other, project: { name: '' } }))
    expect(noName.detail).toMatch(/project\.name: must be 1 to 64/)
    const noQueues = { ...other, plan: 'free' as const, project }
    expect(await refusal(matchyard.accounts.create(noQueues))).toBe('PLAN_LIMIT_EXCEEDED')
    expect((await matchyard.accounts.list()).total).toBe(1)
  })

  test('all are listed, oldest first', async () => {
    const { matchyard, account } = await controlPlane()
    const first = await matchyard.accounts.create(ann)
    const { accountId } = await account()
    await matchyard.accounts.disable({ accountId })
    const { total, data } = await matchyard.accounts.list()
    expect(total).toBe(2)
    expect(data).toMatchObject([
      { ...first, isDisabled: false },
      { id: accountId, plan: 'free', isDisabled: true },
    ])
    expect(JSON.stringify(data)).not.toContain('fake$')
    expect((await matchyard.accounts.list({ limit: 1, offset: 1 })).data).toMatchObject([{ id: accountId }])
  })
})

describe('a disabled account', () => {
  test('has sessions, keys and logins refused, and gets the latter two back', async () => {
    const plane = await withProject()
    const { matchyard, accountId, token, email, password } = plane
    const whoIs = (bearer: string) => matchyard.access.authenticate({ bearer })
    const session = await matchyard.access.authenticateSession(token)
    await matchyard.accounts.disable({ accountId })
    expect((await refused(whoIs(token))).detail).toMatch(/disabled/)
    expect(await refusal(whoIs(token))).toBe('INVALID_SESSION_TOKEN')
    expect(await refusal(matchyard.accounts.refresh(session))).toBe('INVALID_SESSION_TOKEN')
    for (const key of [plane.clientKey, plane.serverKey]) {
      expect(await refusal(matchyard.access.authenticateKey(key))).toBe('INVALID_API_KEY')
    }
    const right = await refused(matchyard.accounts.login({ email, password }))
    const wrong = await refused(matchyard.accounts.login({ email, password: 'wrong horse' }))
    expect([right.code, right.detail]).toEqual([wrong.code, wrong.detail])

    plane.clock.advance(1)
    await matchyard.accounts.disable({ accountId })
    await matchyard.accounts.enable({ accountId })
    expect((await matchyard.access.authenticateKey(plane.clientKey)).kind).toBe('client')
    expect((await refused(whoIs(token))).detail).toMatch(/operator of this installation ended/)
    expect((await whoIs((await matchyard.accounts.login({ email, password })).token)).kind).toBe('session')
  })

  test('what it runs goes on, and its game servers still answer for themselves', async () => {
    const { matchyard, projectId, accountId, build, settle, orchestrator } = await withProject()
    await build(projectId)
    const { id } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    await settle()
    await matchyard.accounts.disable({ accountId })
    await settle()
    expect((await matchyard.servers.get({ projectId, instanceId: id })).status).toBe('running')
    const token = String(orchestrator.launches.find(({ instanceId }) => instanceId === id)?.config.token)
    expect((await matchyard.access.authenticateServerToken(token)).instanceId).toBe(id)
  })
})

describe('a password that an operator sets', () => {
  test('takes the place of the old one and ends the sessions; keys go on', async () => {
    const plane = await withProject()
    const { matchyard, accountId, token, email, password } = plane
    expect(await refusal(matchyard.accounts.setPassword({ accountId, password: 'short' }))).toBe('VALIDATION_FAILED')
    await matchyard.accounts.setPassword({ accountId, password: 'another horse' })
    expect(await refusal(matchyard.access.authenticateSession(token))).toBe('INVALID_SESSION_TOKEN')
    expect(await refusal(matchyard.accounts.login({ email, password }))).toBe('INVALID_LOGIN')
    plane.clock.advance(1)
    const { token: fresh } = await matchyard.accounts.login({ email, password: 'another horse' })
    expect((await matchyard.access.authenticateSession(fresh)).kind).toBe('session')
    expect((await matchyard.access.authenticateKey(plane.serverKey)).kind).toBe('server')
  })

  test('wins over a login and a refresh that are under way with the old one', async () => {
    const plane = await controlPlane()
    const { matchyard, storage } = plane
    const { email, password, accountId, token } = await plane.account()
    const session = await matchyard.access.authenticateSession(token)
    // Runs a call between the reads and the commit of the call under test.
    const { commit } = storage
    const meanwhile = async (call: () => Promise<unknown>) => {
      let isFirst = true
      Object.assign(storage, {
        commit: async (value: Parameters<typeof commit>[0]) => {
          if (isFirst) {
            isFirst = false
            await matchyard.accounts.setPassword({ accountId, password: 'another horse' })
          }
          return commit.call(storage, value)
        },
      })
      const code = await refusal(call())
      Object.assign(storage, { commit })
      return code
    }
    plane.clock.advance(10)
    expect(await meanwhile(() => matchyard.accounts.refresh(session))).toBe('INVALID_SESSION_TOKEN')
    await matchyard.accounts.setPassword({ accountId, password })
    plane.clock.advance(10)
    expect(await meanwhile(() => matchyard.accounts.login({ email, password }))).toBe('INVALID_LOGIN')
  })
})

describe('a card', () => {
  test('takes the place of the one on file; the plan stays', async () => {
    const { matchyard, account, charged, storage } = await controlPlane()
    const { accountId } = await account('payg')
    await storage.get('account', accountId)
    const status = await matchyard.billing.replacePaymentMethod({ accountId, paymentMethodToken: 'pm_good' })
    expect(status).toMatchObject({ plan: 'payg', paymentMethod: { last4: '4242' } })
    expect(charged).toEqual(['pm_good', 'pm_good'])
    const declined = matchyard.billing.replacePaymentMethod({ accountId, paymentMethodToken: 'pm_bad' })
    expect(await refusal(declined)).toBe('PAYMENT_METHOD_REQUIRED')
    expect((await matchyard.billing.plan({ accountId })).paymentMethod).toEqual(status.paymentMethod)
  })
})
