import { ServiceError } from '@matchyard/core'
import { expect, it } from 'vitest'
import { installation } from './agents'

type Answer = 'ok' | 'refused' | 'away'

/** Returns the status of an image that machines with these answers check, in this order, and the machines that were asked. */
async function checkedBy(...answers: readonly Answer[]) {
  const given = await installation()
  const [node] = given.nodes
  if (node === undefined) throw new Error('the installation has a node')
  const asked: number[] = []
  for (const [at, answer] of answers.entries()) {
    const agent = await given.agent(`fra-${at + 1}`, ['fra'])
    const prepare = agent.orchestrator.prepareImage.bind(agent.orchestrator)
    agent.orchestrator.prepareImage = (async (image, log) => {
      asked.push(at + 1)
      if (answer === 'away') throw new ServiceError('UNAVAILABLE', 'the disk is broken')
      return answer === 'ok' ? prepare(image, log) : { ok: false, message: `machine ${at + 1} does not like it` }
    }) as typeof prepare
    await agent.connect(node)
  }
  await given.live(5_000)
  asked.length = 0
  const { projectId } = given
  const { id: buildId } = await node.builds.registerImage({ projectId, name: 'other', imageUrl: 'games/other:1' })
  await given.live(3_000)
  const { status } = await node.builds.get({ projectId, buildId })
  const { logs } = await node.builds.logs({ projectId, buildId })
  await node.stop()
  return { status, asked: [...new Set(asked)], last: logs.at(-1)?.message }
}

it.each([['refused'], ['away']] as const)('an image is ready when another machine accepts it: %s', async (first) => {
  expect(await checkedBy(first, 'ok')).toMatchObject({ status: 'ready', asked: [1, 2] })
})

it('an image fails when at most three machines refuse it', async () => {
  const { status, asked, last } = await checkedBy('refused', 'away', 'refused', 'ok')
  expect([status, asked, last]).toEqual(['failed', [1, 2, 3], 'machine 1 does not like it'])
})

it('an image waits while no machine answers', async () => {
  expect((await checkedBy('away', 'away')).status).toBe('processing')
})
