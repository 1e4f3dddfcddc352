import { describeFailure, simulate } from '@matchyard/testkit/simulation'

for (let seed = 1; seed <= 5; seed++) {
  const { failure, turns, outcomes } = await simulate({ seed, steps: 60, nodes: 2 })
  if (failure !== undefined) throw new Error(describeFailure(failure))
  console.log(`seed ${seed} held for ${turns} turns, with ${outcomes.get('event match_found') ?? 0} matches`)
}

;(await import('node:timers')).setTimeout(() => process.exit(0), 500)
