import { createMatchyard, DEFAULT_PRICES, type DomainEvent } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const PRICE = DEFAULT_PRICES['1x-1g']

/** Opens a service on the 10th of March 2026, with a project on `pro` in which one server runs. */
async function service() {
  const clock = new FakeClock(Date.parse('2026-03-10T00:00:00Z'))
  const storage = memoryStorage()
  const matchyard = createMatchyard({
    ...{ ...fakePlatform({ clock, seed: 1 }), storage, orchestrator: new FakeOrchestrator(clock) },
  })
  await matchyard.open()
  const { account } = await matchyard.accounts.register({
    ...{ email: 'ann@example.com', password: 'correct horse', name: 'Ann' },
  })
  const accountId = account.id
  await matchyard.billing.setPlan({ accountId, plan: 'pro' })
  const { project } = await matchyard.projects.create({ accountId, name: 'Arena' })
  const on = { accountId, projectId: project.id }
  const told: DomainEvent[] = []
  matchyard.events.on('problem_opened', (event) => told.push(event))
  matchyard.events.on('problem_closed', (event) => told.push(event))
  const look = async () => {
    await matchyard.worker.runDueJobs()
    await matchyard.worker.reconcileServers()
    await matchyard.worker.runDueJobs()
  }
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= MINUTE) {
      clock.advance(MINUTE)
      await look()
    }
  }
  const { projectId } = on
  await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
  await matchyard.worker.runDueJobs()
  await matchyard.servers.create({ projectId, versionTag: 'arena' })
  await look()
  await pass(MINUTE)
  const set = (monthlyMicroUsd: number | null) => matchyard.projects.setBudget({ ...on, monthlyMicroUsd })
  const get = () => matchyard.projects.getBudget(on)
  const problems = async () => {
    clock.advance(3_000)
    return matchyard.problems.list({ projectId })
  }
  const types = () => told.flatMap((event) => ('problem' in event ? `${event.type} ${event.problem.code}` : []))
  return { clock, storage, matchyard, on, pass, set, get, problems, types, told }
}

describe('a budget of a project', () => {
  it('is seen while a server runs and nothing else happens', async () => {
    const { pass, set, get, problems, types, told } = await service()
    expect(await get()).toMatchObject({ monthlyMicroUsd: null, month: '2026-03' })
    // By the forecast, the month costs more than this budget, so the service warns at once.
    await set(10 * PRICE)
    await pass(6 * MINUTE)
    expect(types()).toEqual(['problem_opened budget_near'])
    expect(told[0]).toMatchObject({ problem: { details: { budget: { monthlyMicroUsd: 10 * PRICE } } } })
    await pass(10 * HOUR)
    expect(types()).toEqual([
      'problem_opened budget_near',
      'problem_opened budget_passed',
      'problem_closed budget_near',
    ])
    const { spentMicroUsd, forecastMicroUsd } = await get()
    expect(spentMicroUsd).toBeGreaterThanOrEqual(10 * PRICE)
    const [problem] = await problems()
    expect(problem).toMatchObject({
      code: 'budget_passed',
      severity: 'error',
      subject: { kind: 'project' },
      details: { budget: { monthlyMicroUsd: 10 * PRICE } },
    })
    expect(problem?.sentence).toMatch(
      /^arena: \$0\.2\d are spent in March, and the budget is \$0\.25; at the mean rate since yesterday, \$\d+\.\d\d by the month's end\. A budget stops no servers\./,
    )
    expect(forecastMicroUsd).toBeGreaterThan(10 * PRICE)
  })

  it('ends its problem when it is raised or removed, and begins anew with the month', async () => {
    const { clock, pass, set, types, matchyard, on } = await service()
    await set(10_000)
    await pass(2 * HOUR)
    expect(types()).toContain('problem_opened budget_passed')
    await set(1_000_000_000)
    await pass(10 * MINUTE)
    expect(types().at(-1)).toBe('problem_closed budget_passed')
    const { data } = await matchyard.servers.list({ projectId: on.projectId })
    await matchyard.servers.stop({ projectId: on.projectId, instanceId: String(data[0]?.id) })
    await pass(MINUTE)
    await set(10_000)
    await pass(10 * MINUTE)
    expect(types().at(-1)).toBe('problem_opened budget_passed')
    clock.advance(Date.parse('2026-04-02T00:00:00Z') - clock.now())
    await pass(10 * MINUTE)
    expect(types().at(-1)).toBe('problem_closed budget_passed')
    const before = types().length
    await set(null)
    await pass(10 * MINUTE)
    expect(types()).toHaveLength(before)
  })

  it('ends a warning about the forecast when it is raised just above the forecast', async () => {
    const { pass, set, get, types } = await service()
    await pass(2 * HOUR)
    const { forecastMicroUsd } = await get()
    await set(Math.round(forecastMicroUsd * 0.95))
    await pass(10 * MINUTE)
    expect(types()).toEqual(['problem_opened budget_near'])
    await set(Math.round(forecastMicroUsd * 1.05))
    await pass(10 * MINUTE)
    expect(types()).toEqual(['problem_opened budget_near', 'problem_closed budget_near'])
  })

  it('reads the usage of an account at most once a minute, for all its projects', async () => {
    const { clock, storage, matchyard, on, get } = await service()
    const { project } = await matchyard.projects.create({ accountId: on.accountId, name: 'Race' })
    clock.advance(2 * MINUTE)
    const { metered } = storage.servers
    let reads = 0
    Object.assign(storage.servers, {
      metered: (...given: Parameters<typeof metered>) => {
        reads++
        return metered(...given)
      },
    })
    await get()
    await matchyard.projects.getBudget({ ...on, projectId: project.id })
    await matchyard.projects.setBudget({ ...on, monthlyMicroUsd: 10_000 })
    expect(reads).toBe(1)
    clock.advance(MINUTE)
    await get()
    expect(reads).toBe(2)
  })

  it('is refused for a wrong amount and an unknown project, and is not written when it stays', async () => {
    const { set, storage, matchyard, on } = await service()
    await expect(set(0)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    await expect(set(Number.NaN)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    const none = { ...on, projectId: 'prj_none', monthlyMicroUsd: 10_000 }
    await expect(matchyard.projects.setBudget(none)).rejects.toMatchObject({ code: 'PROJECT_NOT_FOUND' })
    expect(await set(20_000)).toMatchObject({ monthlyMicroUsd: 20_000 })
    const version = async () => (await storage.get('project', on.projectId))?.version
    const before = await version()
    await set(20_000)
    expect(await version()).toBe(before)
    expect(await set(null)).toMatchObject({ monthlyMicroUsd: null })
  })
})
