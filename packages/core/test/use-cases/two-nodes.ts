import { createMatchyard } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, fakePlatform } from '@matchyard/testkit'

/** Returns two open nodes on one storage and one clock, with a project. */
export async function twoNodes() {
  const clock = new FakeClock()
  const storage = memoryStorage()
  const node = (seed: number) => createMatchyard({ ...fakePlatform({ clock, seed }), storage, nodeId: `node_${seed}` })
  const [matchyard, other] = [node(1), node(2)]
  await matchyard.open()
  await other.open()
  const { id: projectId, accountId } = await matchyard.projects.ensure({ name: 'arena' })
  return { clock, storage, matchyard, other, projectId, accountId }
}
