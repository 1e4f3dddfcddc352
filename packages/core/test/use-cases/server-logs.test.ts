import { expect, it } from 'vitest'
import { MAX_LOG_READS_PER_PROJECT } from '../../src/node/log-slots'
import { service, settled } from './service'

it('logs of game servers are read a few at once of one project, and the next reading is refused', async () => {
  const { matchyard, projectId, orchestrator } = await service()
  const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
  let end = () => {}
  const held = new Promise<void>((resolve) => {
    end = resolve
  })
  orchestrator.logs = () => held.then(() => [])
  const read = () => matchyard.servers.logs({ projectId, instanceId })
  const reads = Array.from({ length: MAX_LOG_READS_PER_PROJECT }, read)
  await settled()
  await expect(read()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  end()
  expect(await Promise.all(reads)).toEqual(reads.map(() => []))
  expect(await read()).toEqual([])
})
