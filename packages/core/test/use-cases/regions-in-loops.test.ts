import { expect, it } from 'vitest'
import { asked, byRegions, type Fleet, fleet, server } from './fleet'
import { settled } from './service'

/** Lets time pass while the nodes run their loops. */
async function live({ clock }: Fleet, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    await settled()
    clock.advance(50)
  }
  await settled()
}

const all = ({ nodes }: Fleet) => [...nodes.values()].map(({ matchyard }) => matchyard)

it('a region that a new machine serves is in the pools of other nodes within a second', async () => {
  const given = await fleet({ 'fra-1': ['fra'], 'iad-1': ['iad'] })
  const { search, matches } = await byRegions(given)
  for (const node of all(given)) await node.start()
  await search('ann', ['ams'])
  await search('ben', ['ams'])
  await live(given, 3_000)
  expect(await matches()).toEqual([])
  await given.join('ams-1', ['ams'])
  await live(given, 1_000)
  expect(await matches()).toEqual(['ams'])
  for (const node of all(given)) await node.stop()
})

it('a launch that a node of another region takes runs on its machine within a second', async () => {
  const given = await fleet({ 'iad-1': ['iad'], 'fra-1': ['fra'] })
  for (const node of all(given)) await node.start()
  await live(given, 1_000)
  const id = await asked(given, 'fra')
  await live(given, 1_000)
  expect(await server(given, id)).toMatchObject({ status: 'running', nodeId: 'fra-1' })
  for (const node of all(given)) await node.stop()
})
