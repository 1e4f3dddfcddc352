import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { HarmRow } from './row'

/**
 * `npm run bench -- harm [row …]`: measures each harm, one for each file in `rows/`, and prints the quiet value, the
 * attacked value and their ratio.
 */
const folder = fileURLToPath(new URL('./rows', import.meta.url))
const wanted = process.argv.slice(2)

for (const file of readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .sort()) {
  const { row } = (await import(`./rows/${file}`)) as { row: HarmRow }
  if (wanted.length > 0 && !wanted.includes(row.name)) continue
  console.log(`${row.name}: ${row.harm}`)
  for (const { what, unit, quiet, attacked } of await row.run()) {
    const ratio = quiet === 0 ? '' : `  x ${(attacked / quiet).toFixed(2)}`
    console.log(`  ${what.padEnd(44)} ${shown(quiet)} quiet  ${shown(attacked)} attacked  ${unit}${ratio}`)
  }
}
process.exit(0)

function shown(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 1 }).padStart(10)
}
