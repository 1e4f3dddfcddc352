import assert from 'node:assert/strict'
import { TIER_SIZES, type Tier } from '@matchyard/core'
import type { HeldRoom, NodeLimits, RoomAnswer } from '@matchyard/core/ports'
import { limitedArea, type OrchestratorUnderTest } from './harness'
import { assertGone, crash, portsFor, running, seen, specFor, untilExit, untilState } from './launches'

const it = (name: string, limits: NodeLimits, body: (subject: OrchestratorUnderTest) => Promise<void>) =>
  limitedArea('room')(name, limits, body)

/**
 * Returns whether a server of a tier would be admitted in addition to the recorded servers: `ok`, or the reason for the
 * refusal.
 */
async function admits(
  { orchestrator }: OrchestratorUnderTest,
  held: readonly HeldRoom[] = [],
  tier: Tier = '1x-1g',
  archiveOf: string | null = null,
): Promise<'ok' | 'full' | 'too_large' | 'no_archive'> {
  const wish = { instanceId: 'srv_wanted', region: 'iad', tier, tierSize: TIER_SIZES[tier], archiveOf } as const
  const answer: RoomAnswer = await orchestrator.admit({ ...wish, held: async () => held })
  if (answer.ok) return 'ok'
  assert.match(answer.message, /\w/)
  return answer.reason
}

const sized = (tier: Tier) => ({ tier, tierSize: TIER_SIZES[tier] })
const holds = (instanceId: string, tier: Tier = '1x-1g'): HeldRoom => ({ instanceId, tierSize: TIER_SIZES[tier] })

export const roomCases = [
  it('there always is some where nothing is limited', {}, async (subject) => {
    await running(subject)
    const held = Array.from({ length: 1_000 }, (_, index) => holds(`srv_${index}`, '8x-32g'))
    assert.equal(await admits(subject, held, '8x-32g'), 'ok')
  }),

  it('where an archive is not seen, its build is not admitted, and others are', {}, async (subject) => {
    const [probe, missing] = [await subject.build('probe'), await subject.build('missing')]
    if (probe.type !== 'zip') return // images have no archive
    assert.equal(await admits(subject, [], '1x-1g', missing.buildId), 'no_archive')
    assert.equal(await admits(subject, [], '1x-1g', probe.buildId), 'ok')
  }),

  it('fills up, and what comes then is neither admitted nor launched', { maxServers: 2 }, async (subject) => {
    assert.equal(await admits(subject), 'ok')
    const [first] = [await running(subject), await running(subject)]
    assert.equal(await admits(subject), 'full')
    const third = await specFor(subject)
    const result = await subject.orchestrator.launch(third)
    assert.ok(!result.ok)
    assert.equal(result.reason, 'no_room')
    assert.deepEqual(await seen(subject.orchestrator, third.instanceId), [])
    // A running server still has its capacity when its launch is repeated.
    assert.deepEqual(await subject.orchestrator.launch(first.spec), { ok: true })
  }),

  it('comes back with an end, and what was refused is launched under the same attempt', {
    maxServers: 1,
  }, async (subject) => {
    const { spec } = await running(subject)
    const next = await specFor(subject)
    assert.equal((await subject.orchestrator.launch(next)).ok, false)
    await subject.orchestrator.stop(spec.instanceId, { graceMs: 10_000 })
    await untilExit(subject.orchestrator, spec)
    assert.equal(await admits(subject), 'ok')
    assert.deepEqual(await subject.orchestrator.launch(next), { ok: true })
    await untilState(subject.orchestrator, next, 'ready')
    assert.equal(await admits(subject), 'full')
    // The server ran and ended. So a repeated launch does not count as a new launch, even where the machine is full.
    assert.deepEqual(await subject.orchestrator.launch(spec), { ok: true })
    await assertGone(subject.orchestrator, spec)
  }),

  it('comes back with a crash, and stays so when that is forgotten', { maxServers: 1 }, async (subject) => {
    const { spec, control } = await running(subject)
    await crash(subject.orchestrator, control)
    await untilExit(subject.orchestrator, spec)
    assert.equal(await admits(subject), 'ok')
    await subject.orchestrator.forget(spec.instanceId)
    assert.equal(await admits(subject), 'ok')
    await running(subject)
    assert.equal(await admits(subject), 'full')
  }),

  it('is held by the records too, each server once, and not by the one that asks', {
    maxServers: 2,
  }, async (subject) => {
    const { spec } = await running(subject)
    assert.equal(await admits(subject, [holds(spec.instanceId), holds('srv_wanted')]), 'ok')
    assert.equal(await admits(subject, [holds(spec.instanceId), holds('srv_between_two_lives')]), 'full')
  }),

  it('is not given to two that are launched at once and do not fit together', { maxServers: 2 }, async (subject) => {
    await running(subject)
    const both = [await specFor(subject), await specFor(subject)]
    const results = await Promise.all(both.map((spec) => subject.orchestrator.launch(spec)))
    const launched = both.filter((_, index) => results[index]?.ok === true)
    assert.equal(launched.length, 1)
    for (const result of results) assert.ok(result.ok || result.reason === 'no_room')
    for (const spec of launched) await untilState(subject.orchestrator, spec, 'ready')
  }),

  it('is a sum over the sizes of the tiers, and what never fits is told apart', {
    maxServerCpus: 4,
    maxServerMemoryMb: 6_144,
  }, async (subject) => {
    assert.equal(await admits(subject, [], '8x-8g'), 'too_large')
    assert.equal(await admits(subject, [], '2x-8g'), 'too_large')
    await running(subject, sized('2x-4g'))
    assert.equal(await admits(subject, [], '2x-2g'), 'ok')
    assert.equal(await admits(subject, [], '2x-4g'), 'full')
    assert.equal(await admits(subject, [], '4x-4g'), 'full')
    assert.equal(await admits(subject, [holds('srv_other', '2x-2g')]), 'full')
  }),

  it('is as full for the next service as it was for one that crashed', { maxServerCpus: 4 }, async (subject) => {
    const { spec } = await running(subject, sized('2x-2g'))
    await subject.reopen()
    assert.equal(await admits(subject, [], '2x-2g'), 'ok')
    assert.equal(await admits(subject, [], '4x-4g'), 'full')
    const next = await specFor(subject, sized('4x-4g'))
    assert.equal((await subject.orchestrator.launch(next)).ok, false)
    await subject.orchestrator.stop(spec.instanceId, { graceMs: 0 })
    await untilExit(subject.orchestrator, spec)
    assert.deepEqual(await subject.orchestrator.launch(next), { ok: true })
    await untilState(subject.orchestrator, next, 'ready')
  }),

  it('of an attempt goes over to the next one of its server', { maxServers: 1 }, async (subject) => {
    const { spec } = await running(subject)
    const second = { ...spec, attempt: 2, networkPorts: await portsFor(subject, spec.portRequests) }
    assert.deepEqual(await subject.orchestrator.launch(second), { ok: true })
    await untilState(subject.orchestrator, second, 'ready')
    assert.equal(await admits(subject), 'full')
  }),
]
