import type { Call, Statement } from './statement'

const known = new Map<string, Statement>()
/** Every connection keeps the plan of each that it has run; there are more combinations than any workload has use for. */
const MAX_KNOWN = 64

/**
 * Several statements as one, which is a transaction by itself: one message instead of one for each, one for BEGIN and one for
 * COMMIT. Each becomes a common table expression under its name, by which another may read what it returns. All see the
 * database as it was before: none may touch a row that another one writes.
 *
 * Those that select (the assertions) are evaluated first, in their order. PostgreSQL runs changes that nobody reads after
 * them, the last one first, so they are given backwards; only the order of locks depends on that, and a deadlock is retried.
 *
 * Undefined where the combination is new and too many are known already.
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
