/** Statuses in a mutation report that mean that a test found the mutant (a small change of the code). */
const FOUND = new Set(['Killed', 'Timeout'])
const MISSED = new Set(['Survived', 'NoCoverage'])

/**
 * Returns the score of one file from its mutation report. `found` counts the mutants that a test found. `missed` lists
 * the mutants that no test found, as `{ line, change }`; `judged` counts the mutants that no test found and that the
 * argument `judged` lists. `change` names a mutant by the text of its line, because line numbers move. Mutants that
 * cannot run do not count. Mutants of sentences do not count either, because the wording of a sentence may change.
 */
export function scoreOf({ files }, judged = []) {
  const all = Object.values(files).flatMap(({ source, mutants }) => {
    const lines = source.split('\n')
    return mutants
      .map((mutant) => ({ status: mutant.status, ...described(mutant, lines) }))
      .filter(({ isWording }) => !isWording)
  })
  const missed = all.filter(({ status }) => MISSED.has(status))
  return {
    found: all.filter(({ status }) => FOUND.has(status)).length,
    missed: missed.filter(({ change }) => !judged.includes(change)),
    judged: missed.filter(({ change }) => judged.includes(change)).length,
  }
}

function described({ location: { start, end }, mutatorName, replacement }, lines) {
  const first = lines[start.line - 1]
  const original = start.line === end.line ? first.slice(start.column - 1, end.column - 1) : '…'
  const texts = [first, original, replacement].map((text) => text.trim().replace(/\s+/g, ' ').slice(0, 120))
  const isWording = mutatorName === 'StringLiteral' && (texts[1].includes(' ') || start.line !== end.line)
  return { line: start.line, isWording, change: `${texts[0]} | ${mutatorName}: ${texts[1]} -> ${texts[2]}` }
}

/** Returns the share of found mutants over several scores; 1 when there are no mutants. */
export function shareOf(scores) {
  const found = scores.reduce((sum, score) => sum + score.found, 0)
  const missed = scores.reduce((sum, score) => sum + score.missed.length, 0)
  return found + missed === 0 ? 1 : found / (found + missed)
}
