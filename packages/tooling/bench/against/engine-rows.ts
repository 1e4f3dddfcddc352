import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { OWN_ROOT, type Side } from './side'

const WORK = join(OWN_ROOT, 'packages/matchmaking/bench/engine-work.ts')
const NODE = ['--expose-gc', '--conditions=@matchyard/source', '--import', 'tsx']

/**
 * Returns the CPU seconds of the side's engine, by row. The engine runs in a process of its own, which has loaded no
 * other engine.
 */
export function engineFigures(side: Side): Readonly<Record<string, number>> {
  const { stdout, stderr, status } = spawnSync(process.execPath, [...NODE, WORK, side.root], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the engine of ${side.name} did not run: ${stderr.trim()}`)
  return JSON.parse(stdout) as Record<string, number>
}
