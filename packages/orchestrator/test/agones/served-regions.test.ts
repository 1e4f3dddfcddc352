import { expect, test } from 'vitest'
import { agonesOrchestrator } from '../../src/agones/index'

test('an installation serves the regions of its clusters, or every region where one cluster is for the rest', () => {
  const served = (choice: { regions?: Record<string, string>; context?: string }) =>
    agonesOrchestrator({ installationId: 'arena', clock: Date, maxServers: 5, ...choice })
  expect(served({ regions: { iad: 'east', fra: 'europe' } })).toMatchObject({
    regions: ['iad', 'fra'],
    limits: { maxServers: 5 },
  })
  expect(served({ regions: { iad: 'east' }, context: 'usual' }).regions).toBeUndefined()
  expect(served({}).regions).toBeUndefined()
})
