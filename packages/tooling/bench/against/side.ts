import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const OWN_ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

/** A checkout of the project, built. */
export interface Side {
  readonly name: string
  readonly root: string
}

/** The other commit in a folder of its own, installed and built; or a folder that is that already. */
export function otherSide(commitOrFolder: string): Side {
  if (commitOrFolder.startsWith('/')) return { name: commitOrFolder, root: commitOrFolder }
  const root = mkdtempSync(join(tmpdir(), 'matchyard-against-'))
  run('bash', ['-c', `git -C "${OWN_ROOT}" archive "${commitOrFolder}" | tar -x -C "${root}"`], OWN_ROOT)
  console.log(`building ${commitOrFolder} in ${root}`)
  run('npm', ['run', 'build'], root)
  return { name: commitOrFolder, root }
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`)
}
