import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { atLeast, count, type Row } from '../row'

const COMMITS = fileURLToPath(new URL('../../../../storage-sqlite/bench/commits.ts', import.meta.url))
const TARGET = 0.6

interface Commits {
  readonly port: number
  readonly bare: number
  readonly portMicros: number
  readonly bareMicros: number
  readonly ratio: number
  readonly byCpu: number
}

/**
 * Compares commits through the SQLite port with bare transactions of the same bytes. Runs the benchmark of that package
 * and takes one row of it.
 */
export async function commitsOnSqlite(): Promise<Row[]> {
  const { stdout, status } = spawnSync(process.execPath, [...process.execArgv, COMMITS, '--json'], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the commits ended with ${status}`)
  const { port, bare, portMicros, bareMicros, ratio, byCpu } = JSON.parse(stdout) as Commits
  return [
    {
      what: 'commits through the SQLite port, 256 together',
      ours: `${count(port)}/s, ${portMicros.toFixed(1)} µs of CPU`,
      beside: `bare transactions of the same bytes ${count(bare)}/s, ${bareMicros.toFixed(1)} µs of CPU`,
      ratio: `${ratio.toFixed(2)} (${byCpu.toFixed(2)} by CPU)`,
      target: `≥ ${TARGET.toFixed(2)}`,
      met: atLeast(TARGET, ratio, byCpu),
    },
  ]
}
