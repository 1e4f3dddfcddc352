/** Mutants that a test found, by the words of the mutation report. */
const FOUND = new Set(['Killed', 'Timeout'])
const MISSED = new Set(['Survived', 'NoCoverage'])

/**
 * Returns what a mutation report says of one file: how many mutants were found, and those that were missed as
 * `line:column mutator -> replacement`. Mutants that cannot run, and those that were judged, count for nothing.
 */
export function scoreOf({ files }, judged = []) {
  const mutants = Object.values(files).flatMap((file) => file.mutants)
  const missed = mutants.filter(({ status }) => MISSED.has(status)).map(spelled)
  return {
    found: mutants.filter(({ status }) => FOUND.has(status)).length,
    missed: missed.filter((mutant) => !judged.includes(mutant)),
    judged: missed.filter((mutant) => judged.includes(mutant)).length,
  }
}

const spelled = ({ location, mutatorName, replacement }) =>
  `${location.start.line}:${location.start.column} ${mutatorName} -> ${replacement.replace(/\s+/g, ' ').slice(0, 80)}`

/** Returns the share of found mutants over several scores, 1 where there are none. */
export function shareOf(scores) {
  const found = scores.reduce((sum, score) => sum + score.found, 0)
  const missed = scores.reduce((sum, score) => sum + score.missed.length, 0)
  return found + missed === 0 ? 1 : found / (found + missed)
}
