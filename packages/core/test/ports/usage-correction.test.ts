import type { GameServer, PlanInterval } from '@matchyard/core'
import { addedUp, correctedInstant, type UsageSum, usageCorrection, usageSumsOf } from '@matchyard/core/ports'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const DAY = 86_400_000
const TO = 20_000 * DAY + 50_000_000
const FROM = TO + 3 * DAY

const history = (changes: readonly number[]): PlanInterval[] => [
  { plan: 'payg', from: 0 },
  ...[...changes].sort((a, b) => a - b).map((from): PlanInterval => ({ plan: 'pro', from })),
]
const seconds = (sums: readonly UsageSum[]) =>
  new Map(addedUp(sums).flatMap((sum) => (sum.seconds === 0 ? [] : [[`${sum.tier} ${sum.beginsAt}`, sum.seconds]])))

test('sums after a correction are those of the corrected servers', () => {
  const near = fc.integer({ min: TO - 2 * DAY, max: FROM })
  const anyServer = fc.record({
    runningAt: near,
    stoppedAt: near,
    tier: fc.constantFrom('1x-1g', '8x-32g'),
    isSummed: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(anyServer, { maxLength: 5 }), fc.array(near, { maxLength: 3 }), (drawn, changes) => {
      const correction = { from: FROM, to: TO }
      const servers = drawn.map(
        (one) =>
          ({ ...one, accountId: 'acc', projectId: 'prj' }) as unknown as GameServer & { readonly isSummed: boolean },
      )
      const sumsOf = ({ runningAt, stoppedAt, ...meter }: GameServer, plans: readonly PlanInterval[]) =>
        usageSumsOf(meter, { from: runningAt ?? 0, to: stoppedAt ?? 0 }, plans)
      const kept = servers
        .flatMap((server) => (server.isSummed ? sumsOf(server, history(changes)) : []))
        .filter(({ beginsAt }) => beginsAt < TO)
        .concat(servers.flatMap((server) => usageCorrection(correction, server, history(changes), server.isSummed)))
      const corrected = servers.flatMap((server) =>
        sumsOf(
          {
            ...server,
            runningAt: correctedInstant(correction, server.runningAt ?? 0),
            stoppedAt: correctedInstant(correction, server.stoppedAt ?? 0),
          },
          history(changes.map((at) => correctedInstant(correction, at))),
        ),
      )
      expect(seconds(kept)).toEqual(seconds(corrected))
    }),
  )
})
