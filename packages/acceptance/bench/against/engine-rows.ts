import { spawnSync } from 'node:child_process'
import { type Side, scriptOf } from './side'

/** Parts of the engine's benchmark whose work is the same in every run. */
const PARTS = ['million', 'stuck', 'narrow', 'roles', 'proposals', 'add', 'slices']

/** Seconds of processor time of a whole process, by row. */
export const engineRows: Readonly<Record<string, (side: Side) => Promise<number>>> = Object.fromEntries(
  PARTS.map((part) => [`engine: ${part}`, async (side: Side) => cpuOf(side, 'bench:matchmaking', part)]),
)

function cpuOf(side: Side, script: string, part: string): number {
  const command = scriptOf(side, script)
  if (command === undefined) throw new Error(`${side.name} has no ${script}`)
  const { stdout, status } = spawnSync('bash', ['-c', `${command} ${part} > /dev/null; times`], {
    cwd: side.root,
    encoding: 'utf8',
  })
  // The second line is of the children: minutes and seconds, of the user and of the system.
  const [user = '', system = ''] = stdout.trim().split('\n')[1]?.split(' ') ?? []
  const seconds = secondsOf(user) + secondsOf(system)
  if (status !== 0 || !(seconds > 0)) throw new Error(`${script} ${part} of ${side.name} did not run`)
  return seconds
}

function secondsOf(time: string): number {
  const [, minutes = '0', seconds = '0'] = /^(\d+)m([\d.]+)s$/.exec(time) ?? []
  return Number(minutes) * 60 + Number(seconds)
}
