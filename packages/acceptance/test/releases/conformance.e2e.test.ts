import { skipWithout } from '@matchyard/tooling/needs'
import { expect, it } from 'vitest'
import { startBeside } from '../../src/conformance/beside/run'
import { besideProblems, THROUGH_BOTH } from '../../src/conformance/beside/verdict'
import type { RuleId } from '../../src/conformance/rules/index'
import { whyNotHere } from '../../src/releases/release-before'
import { seeded } from '../../src/rounds'

const reason = whyNotHere()
const { seed, next } = seeded()

/** A tenth of them, each as likely as any other. */
function drawn(): readonly RuleId[] {
  const left = [...THROUGH_BOTH]
  const count = Math.ceil(left.length / 10)
  return Array.from({ length: count }, () => left.splice(Math.floor(next() * left.length), 1)).flat()
}

/** All of them, each release taking the first call: `npm run prove -- beside`. */
it(`rules of the service hold through the release before and this one in turn, on one database (seed ${seed})`, {
  timeout: 600_000,
}, async (context) => {
  if (reason !== undefined) skipWithout(context, 'the release before', reason)
  const first = next() < 0.5 ? 'this' : 'before'
  const rules = drawn()
  const beside = await startBeside()
  try {
    const { executed, said } = await beside.run(first, { rules })
    console.log(`MATCHYARD_SEED=${seed}: ${rules.length} of ${THROUGH_BOTH.length} rules, first ${first}`)
    expect(besideProblems(rules, executed), said).toEqual([])
  } finally {
    await beside.end()
  }
})
