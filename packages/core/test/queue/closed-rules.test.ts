import { expect, it } from 'vitest'
import { matchmakingFaults } from '../../src/queue/matchmaking'

it.each(['avoid', 'recent_opponents'] as const)('a queue takes no rule %s yet', (type) => {
  const message = 'has a rule type that queues do not take yet'
  expect(matchmakingFaults({ rules: [{ type }] }, 'matchmaking')).toEqual([{ path: 'matchmaking.rules', message }])
})
