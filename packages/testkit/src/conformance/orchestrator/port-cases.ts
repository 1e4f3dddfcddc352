import assert from 'node:assert/strict'
import { area } from './harness'
import { CONTROL, GAME, port, seen, specFor, untilState } from './launches'
import { occupy } from './occupy'
import { reportOf } from './probe-client'

const it = area('ports')

export const portCases = [
  it('are proposed one for each request, with what was asked', async (subject) => {
    const requests = [CONTROL, GAME, { ...CONTROL, name: 'secure', tlsEnabled: true }]
    const mappings = await subject.orchestrator.proposePorts(requests)
    assert.deepEqual(
      mappings.map(({ host, externalPort, ...request }) => request),
      requests,
    )
    for (const { host, externalPort } of mappings) assert.ok(host !== '' && externalPort > 0 && externalPort < 65_536)
    assert.deepEqual(await subject.orchestrator.proposePorts([]), [])
  }),

  it('are distinct within a proposal and between proposals made at once', async (subject) => {
    const many = Array.from({ length: 10 }, (_, i) => ({ ...GAME, name: `p${i}` }))
    const proposals = await Promise.all([1, 2, 3].map(() => subject.orchestrator.proposePorts(many)))
    assert.equal(new Set(proposals.flat().map(({ externalPort }) => externalPort)).size, 30)
  }),

  it('in use by another program are told as such; with other ports the same attempt runs', async (subject) => {
    for (const request of [CONTROL, GAME]) {
      const spec = await specFor(subject)
      const release = await occupy(port(spec, request.name))
      const result = await subject.orchestrator.launch(spec)
      await release()
      assert.ok(!result.ok && result.reason === 'address_in_use', JSON.stringify(result))
      assert.deepEqual(await seen(subject.orchestrator, spec.instanceId), [])
      const moved = { ...spec, networkPorts: await subject.orchestrator.proposePorts([CONTROL, GAME]) }
      assert.deepEqual(await subject.orchestrator.launch(moved), { ok: true })
      await untilState(subject.orchestrator, moved, 'ready')
      await reportOf(port(moved))
    }
  }),

  it('that are in use are not proposed', async (subject) => {
    const [first] = await subject.orchestrator.proposePorts([CONTROL])
    assert.ok(first)
    const release = await occupy(first)
    const more = await subject.orchestrator.proposePorts(
      Array.from({ length: 20 }, (_, i) => ({ ...CONTROL, name: `p${i}` })),
    )
    await release()
    assert.ok(more.every(({ externalPort }) => externalPort !== first.externalPort))
  }),
]
