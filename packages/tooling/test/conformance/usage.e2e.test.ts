import { DEFAULT_PRICES } from '@matchyard/core'
import { beforeEach, expect } from 'vitest'
import { fault } from '../../src/conformance/client'
import { rule } from '../../src/conformance/rule'
import type { Studio } from '../../src/conformance/studio'
import { World } from '../../src/conformance/world'

const APRIL = Date.UTC(2026, 3, 1)
const HOUR = 3_600

let world: World
beforeEach(async () => {
  world = await World.open()
})

const studioWithBuild = async (plan: 'free' | 'payg' | 'pro') => {
  const studio = await world.studio(plan)
  await studio.build()
  return studio
}

/** Runs one game server for so many seconds, with all jobs done. */
async function run(studio: Studio, seconds: number, fields: Record<string, unknown> = {}): Promise<void> {
  const { instance_id: id } = await studio.server(fields)
  await world.settle()
  world.clock.advance(seconds * 1_000)
  await studio.backend(`DELETE /v1/servers/${id}`)
  await world.settle()
}

const usage = async (studio: Studio, month?: string) =>
  (await (await studio.loggedIn())(`GET /v1/billing/usage${month === undefined ? '' : `?month=${month}`}`)).body

rule('S-BIL-09', async () => {
  const studio = await studioWithBuild('payg')
  await run(studio, HOUR)
  expect(await usage(studio)).toEqual({
    period: '2026-03',
    total_cost: 0.025,
    credit_applied: 0,
    balance_due: 0.025,
    projects: [{ project_id: studio.projectId, name: 'Arena', cost: 0.025 }],
    has_more: false,
  })
})

rule('S-BIL-10', async () => {
  const studio = await world.studio('free')
  expect((await usage(studio)).period).toBe('2026-03')
  expect((await usage(studio, '2025-12')).period).toBe('2025-12')
  for (const month of ['2026-13', '2026-00', '2026-3', '26-03', 'now', '2026-03-01', '']) {
    expect(fault(await studio.developer(`GET /v1/billing/usage?month=${month}`))).toBe('month')
  }
})

rule('S-BIL-11', async () => {
  const studio = await studioWithBuild('pro')
  await run(studio, HOUR)
  expect(await usage(studio)).toMatchObject({ total_cost: 0.025, credit_applied: 0.025, balance_due: 0 })
  await run(studio, 100 * HOUR, { tier: '8x-32g' })
  expect(await usage(studio)).toMatchObject({ total_cost: 32.025, credit_applied: 5, balance_due: 27.025 })
})

rule('S-BIL-12', async () => {
  const studio = await studioWithBuild('pro')
  world.clock.advanceTo(APRIL)
  await world.settle()
  await run(studio, 40 * HOUR, { tier: '8x-32g' })
  // March's credit was not used, and April's is still 5 USD.
  expect(await usage(studio, '2026-04')).toMatchObject({ total_cost: 12.8, credit_applied: 5, balance_due: 7.8 })
  const payg = await studioWithBuild('payg')
  await run(payg, HOUR)
  expect(await usage(payg)).toMatchObject({ total_cost: 0.025, credit_applied: 0, balance_due: 0.025 })
})

rule('S-BIL-13', async () => {
  const studio = await studioWithBuild('payg')
  await studio.server()
  await world.settle()
  const costs = []
  for (let n = 0; n < 3; n++) {
    costs.push((await usage(studio)).total_cost)
    world.clock.advance(HOUR * 1_000)
  }
  expect(costs).toEqual([0, 0.025, 0.05])
})

rule('C-3-11', async () => {
  for (const [tier, usd] of [
    ['1x-1g', 0.025],
    ['1x-4g', 0.04],
    ['2x-2g', 0.05],
    ['4x-8g', 0.12],
    ['8x-8g', 0.2],
    ['8x-32g', 0.32],
  ] as const) {
    const studio = await studioWithBuild('payg')
    await run(studio, HOUR, { tier })
    expect((await usage(studio)).total_cost, tier).toBe(usd)
  }
})

rule('C-3-12', async () => {
  const studio = await studioWithBuild('payg')
  // The server starts 10.5 s before midnight: eleven of its seconds begin in March, the other nine in April.
  world.clock.advanceTo(APRIL - 10_500)
  await world.settle()
  await run(studio, 20)
  expect((await usage(studio, '2026-03')).total_cost).toBe(Math.round((11 * 25_000) / 3_600) / 1e6)
  expect((await usage(studio, '2026-04')).total_cost).toBe(Math.round((9 * 25_000) / 3_600) / 1e6)
})

rule('C-3-13', async () => {
  const studio = await studioWithBuild('free')
  await studio.server({ ttl: 1_800 })
  await world.settle()
  world.clock.advance(1_000_000)
  expect((await usage(studio)).total_cost).toBe(0)
  await studio.developer('POST /v1/billing/upgrade', { plan: 'payg', payment_method_token: 'pm_test_visa' })
  world.clock.advance(72_000)
  expect((await usage(studio)).total_cost).toBe((72 * 25_000) / 3_600 / 1e6)
})

rule('C-3-14', async () => {
  const studio = await studioWithBuild('payg')
  // One second of 1x-2g costs 8.33 micro-USD. Two seconds together cost 17, not twice 8.
  for (let n = 0; n < 2; n++) await run(studio, 1, { tier: '1x-2g' })
  // 9 s of 8x-32g cost exactly 800 micro-USD. 63 s of 1x-1g cost 437.5, which is rounded up.
  const second = (await studio.developer('POST /v1/projects', { name: 'Second' })).body
  const backend = world.as({ 'api-key': second.keys[1].key })
  const upload = await backend('POST /v1/builds/upload-url', { name: 'arena', executable_path: 'server' })
  await studio.put(upload.body.upload_url)
  await world.settle()
  const { body } = await backend('POST /v1/servers', { version_tag: 'arena' })
  await world.settle()
  world.clock.advance(63_000)
  await backend(`DELETE /v1/servers/${body.instance_id}`)
  await world.settle()
  const { total_cost: total, projects } = await usage(studio)
  expect(projects.map(({ cost }: { cost: number }) => cost).sort()).toEqual([0.000017, 0.000438])
  expect(total).toBe(0.000455)
})

rule('C-3-15', async () => {
  const studio = await studioWithBuild('payg')
  await run(studio, HOUR)
  const before = await usage(studio)
  await studio.developer(`DELETE /v1/projects/${studio.projectId}`)
  await world.settle()
  expect(await usage(studio)).toEqual(before)
})

rule('C-3-16', async () => {
  const studio = await studioWithBuild('payg')
  const idle = (await studio.developer('POST /v1/projects', { name: 'Idle' })).body
  await run(studio, HOUR)
  const { projects } = await usage(studio)
  expect(projects).toHaveLength(1)
  expect(projects[0].project_id).not.toBe(idle.project_id)
  const zeros = { total_cost: 0, credit_applied: 0, balance_due: 0, projects: [], has_more: false }
  expect(await usage(studio, '2031-07')).toEqual({ period: '2031-07', ...zeros })
})

rule('C-3-22', async () => {
  const studio = await studioWithBuild('pro')
  await studio.developer('POST /v1/billing/downgrade', { plan: 'payg' })
  world.clock.advanceTo(APRIL)
  await world.settle()
  await run(studio, HOUR)
  expect(await usage(studio, '2026-04')).toMatchObject({ total_cost: 0.025, credit_applied: 0 })
  const developer = await studio.loggedIn()
  await developer('POST /v1/billing/upgrade', { plan: 'pro' })
  expect(await usage(studio, '2026-04')).toMatchObject({ total_cost: 0.025, credit_applied: 0.025, balance_due: 0 })
})

rule('C-3-23', async () => {
  const studio = await world.studio('pro')
  world.clock.advanceTo(APRIL - 1)
  expect(await usage(studio)).toMatchObject({ total_cost: 0, credit_applied: 0, balance_due: 0, projects: [] })
})

rule('C-3-26', async () => {
  const studio = await studioWithBuild('payg')
  const { instance_id: id } = await studio.server({ auto_restart: true })
  await world.settle()
  for (let second = 0; second < 72; second++) {
    if (second === 10) world.orchestrator.exit(id, { code: 1 })
    if (second === 40) await studio.backend(`POST /v1/servers/${id}/restart`)
    await world.wait(1)
  }
  expect(world.orchestrator.launches).toHaveLength(3)
  expect((await usage(studio)).total_cost).toBe((72 * 25_000) / 3_600 / 1e6)
})

rule('C-3-27', async () => {
  const tiers = Object.keys(DEFAULT_PRICES) as (keyof typeof DEFAULT_PRICES)[]
  const prices = Object.fromEntries(tiers.map((tier) => [tier, 1_000_000])) as typeof DEFAULT_PRICES
  world = await World.open({ core: { prices } })
  const studio = await studioWithBuild('payg')
  await run(studio, 2 * HOUR, { tier: '4x-8g' })
  expect((await usage(studio)).total_cost).toBe(2)
})
