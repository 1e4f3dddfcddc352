import assert from 'node:assert/strict'
import type { PortMapping } from '@matchyard/core'
import { area, type OrchestratorUnderTest } from './harness'
import { BOTH, CONTROL, GAME, placed, port, portsFor, running, seen, specFor, untilState } from './launches'
import { occupy } from './occupy'
import { reportOf } from './probe-client'

const it = area('ports')

/**
 * Whether the platform assigns the ports during the launch, so that no other program can occupy the ports before it.
 */
const comeLater = async ({ orchestrator }: OrchestratorUnderTest): Promise<boolean> =>
  (await orchestrator.proposePorts([])) === 'later'

/**
 * Returns the ports of a server with these port requests: the ports that the orchestrator proposes, or the ports of a
 * server that the function launches.
 */
async function given(subject: OrchestratorUnderTest, requests: Parameters<typeof portsFor>[1]): Promise<PortMapping[]> {
  if (!(await comeLater(subject))) return [...(await portsFor(subject, requests))]
  const spec = await specFor(subject, { requests, readiness: 'uptime' })
  assert.deepEqual(await subject.orchestrator.launch(spec), { ok: true })
  return [...(await placed(subject, spec)).networkPorts]
}

export const portCases = [
  it('are proposed (or given later) one for each request, with what was asked', async (subject) => {
    const requests = [CONTROL, GAME, { ...CONTROL, name: 'secure', tlsEnabled: true }]
    const mappings = await given(subject, requests)
    assert.deepEqual(
      mappings.map(({ host, externalPort, ...request }) => request),
      requests,
    )
    for (const { host, externalPort } of mappings) assert.ok(host !== '' && externalPort > 0 && externalPort < 65_536)
    assert.deepEqual(await portsFor(subject, []), [])
  }),

  it('are distinct within a server and between servers asked for at once', async (subject) => {
    const many = Array.from({ length: 10 }, (_, i) => ({ ...GAME, name: `p${i}` }))
    const proposals = await Promise.all([1, 2, 3].map(() => given(subject, many)))
    assert.equal(new Set(proposals.flat().map(({ externalPort }) => externalPort)).size, 30)
  }),

  it('that come later are known of every server that is ready, and are the next service’s too', async (subject) => {
    if (!(await comeLater(subject))) return
    const { spec } = await running(subject)
    assert.equal(spec.networkPorts.length, 2)
    const orchestrator = await subject.reopen()
    assert.deepEqual((await seen(orchestrator, spec.instanceId))[0]?.networkPorts, spec.networkPorts)
  }),

  it('in use by another program are told as such; with other ports the same attempt runs', async (subject) => {
    if (await comeLater(subject)) return
    for (const request of [CONTROL, GAME]) {
      const spec = await specFor(subject)
      const release = await occupy(port(spec, request.name))
      const result = await subject.orchestrator.launch(spec)
      await release()
      assert.ok(!result.ok && result.reason === 'address_in_use', JSON.stringify(result))
      assert.deepEqual(await seen(subject.orchestrator, spec.instanceId), [])
      const moved = { ...spec, networkPorts: await portsFor(subject, [CONTROL, GAME]) }
      assert.deepEqual(await subject.orchestrator.launch(moved), { ok: true })
      await untilState(subject.orchestrator, moved, 'ready')
      await reportOf(port(moved))
    }
  }),

  it('for both protocols are in use when a program listens by one of them', async (subject) => {
    if (await comeLater(subject)) return
    for (const protocol of ['tcp', 'udp'] as const) {
      const spec = await specFor(subject, { requests: [BOTH] })
      const release = await occupy({ ...port(spec, 'both'), protocol })
      const result = await subject.orchestrator.launch(spec)
      await release()
      assert.ok(!result.ok && result.reason === 'address_in_use', JSON.stringify(result))
    }
  }),

  it('that are in use are not proposed', async (subject) => {
    if (await comeLater(subject)) return
    const [first] = await portsFor(subject, [CONTROL])
    assert.ok(first)
    const release = await occupy(first)
    const more = await portsFor(
      subject,
      Array.from({ length: 20 }, (_, i) => ({ ...CONTROL, name: `p${i}` })),
    )
    await release()
    assert.ok(more.every(({ externalPort }) => externalPort !== first.externalPort))
  }),
]
