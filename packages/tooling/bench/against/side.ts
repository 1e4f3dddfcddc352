import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const OWN_ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

/** A built checkout of the project. */
export interface Side {
  readonly name: string
  readonly root: string
}

/**
 * Installs and builds the other commit in a temporary folder. An absolute path is taken as a checkout that is already
 * built.
 */
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
