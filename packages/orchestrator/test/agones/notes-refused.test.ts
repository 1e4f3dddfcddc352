import { afterEach, describe, expect, test } from 'vitest'
import { isKept } from '../../src/agones/finalizer'
import { ANNOTATION } from '../../src/agones/names'
import { GAMESERVERS } from '../../src/agones/testing/index'
import type { Fields, Resource } from '../../src/agones/testing/kubernetes/objects'
import { ApiStatus } from '../../src/agones/testing/kubernetes/status'
import { launchSpec } from './launch-spec'
import { eventually, serviceOnClusters, untilObserved } from './service-on-clusters'

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

describe('a game server about which the cluster lets nothing be written', () => {
  test('is told as ready all the same, and hides no other', async () => {
    const { cluster, start } = await serviceOnClusters(ending)
    let writes = 0
    cluster.api.admissions.push((resource: Resource, { metadata }: Fields, before: Fields | undefined) => {
      const { annotations = {} } = metadata
      if (resource !== GAMESERVERS || before === undefined || annotations[ANNOTATION.instance] !== 'srv_judged') return
      if (annotations[ANNOTATION.readyAt] === undefined) return
      writes++
      throw new ApiStatus('Forbidden', 'admission webhook denied the request: notes are not signed')
    })
    const orchestrator = await start()
    const [judged, other] = [launchSpec({ instanceId: 'srv_judged' }), launchSpec({ instanceId: 'srv_other' })]
    await orchestrator.launch(judged)
    await orchestrator.launch(other)
    await untilObserved(orchestrator, judged, 'ready')
    await untilObserved(orchestrator, other, 'ready')
    for (let times = 0; times < 5; times++) {
      const states = (await orchestrator.observe()).map(({ state }) => state)
      expect(states).toEqual(['ready', 'ready'])
    }
    expect(writes).toBe(1)
  })
})

test('one that was let go of by a node that died then is kept for its end again by whoever sees it run', async () => {
  const { cluster, start, all } = await serviceOnClusters(ending)
  const orchestrator = await start()
  const spec = launchSpec()
  await orchestrator.launch(spec)
  await untilObserved(orchestrator, spec, 'ready')
  const { name, namespace } = all(GAMESERVERS)[0]?.metadata ?? { name: '', namespace: '' }
  cluster.api.patch(GAMESERVERS, namespace, name, { metadata: { finalizers: null } })
  await eventually('it is kept', async () => {
    await orchestrator.observe(spec.instanceId)
    return all(GAMESERVERS).some(({ metadata }) => isKept(metadata)) || undefined
  })
})
