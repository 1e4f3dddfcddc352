import type { Call, Statement } from './statement'

const known = new Map<string, Statement>()
/**
 * Maximum number of combinations of statements. Every connection keeps the plan of each combination that it has run.
 * Real workloads use only some of the possible combinations.
 */
const MAX_KNOWN = 64

/**
 * Combines several statements into one, which is a transaction by itself: one message replaces BEGIN, one message for
 * each statement, and COMMIT. Each statement becomes a common table expression under its name, so that another
 * statement can read its result. All of them see the database as it was before, so no statement may use a row that
 * another statement writes.
 *
 * Statements that select (the assertions) are evaluated first, in their order. PostgreSQL then runs the changes whose
 * results no other statement reads, beginning with the last change, so they are written in reverse order. Only the
 * order of locks depends on that, and a deadlock is retried.
 *
 * Returns undefined for a new combination when the maximum is reached.
 */
export function composed(calls: readonly Call[]): Call | undefined {
  const key = calls.map(([{ name }]) => name).join(' ')
  if (!known.has(key) && known.size >= MAX_KNOWN) return undefined
  const statement = known.get(key) ?? { name: `composed_${known.size}`, text: textOf(calls) }
  known.set(key, statement)
  return [statement, calls.flatMap(([, values]) => values)]
}

function textOf(calls: readonly Call[]): string {
  const changes: string[] = []
  const assertions: { readonly name: string; readonly text: string }[] = []
  let before = 0
  for (const [{ name, text }, values] of calls) {
    const offset = before
    const shifted = `${name} as (${text.replaceAll(/\$(\d+)/g, (_, n) => `$${Number(n) + offset}`)})`
    if (text.startsWith('select')) assertions.push({ name, text: shifted })
    else changes.unshift(shifted)
    before += values.length
  }
  const parts = [...changes, ...assertions.map(({ text }) => text)]
  return `with ${parts.join(',\n')}\nselect ${assertions.map(({ name }) => `(select * from ${name})`).join(', ')}`
}
