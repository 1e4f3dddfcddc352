import { RELEASE_BEFORE, whyNotHere } from '../../releases/release-before'
import { LEFT_OUT } from './left-out'
import { startBeside } from './run'
import { besideProblems, THROUGH_BOTH } from './verdict'

/**
 * The whole conformance suite through the release before and this one, twice, so that what one writes and the other reads is written by the other
 * as well. Says which rules held and which were left out; answers how many problems there were.
 */
export async function proveBeside(): Promise<number> {
  const reason = whyNotHere()
  if (reason !== undefined) throw new Error(reason)
  const problems: string[] = []
  const beside = await startBeside()
  try {
    for (const first of ['this', 'before'] as const) {
      const { executed } = await beside.run(first, { isWatched: true })
      problems.push(...besideProblems(THROUGH_BOTH, executed).map((problem) => `first ${first}: ${problem}`))
    }
  } finally {
    await beside.end()
  }
  for (const problem of problems) console.error(problem)
  for (const [id, why] of Object.entries(LEFT_OUT)) console.log(`left out: ${id}, ${why}`)
  const outcome = problems.length === 0 ? 'each held' : `${problems.length} problems`
  console.log(`${THROUGH_BOTH.length} rules through ${RELEASE_BEFORE.slice(0, 7)} and this tree, both ways: ${outcome}`)
  return problems.length
}
