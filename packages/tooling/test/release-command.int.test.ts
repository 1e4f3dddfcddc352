import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

/** Runs the release command as `npm run release -- …` does. A timeout of 60 s stops a build that begins. */
function release(...args: string[]) {
  const line = ['--conditions=@matchyard/source', '--import', 'tsx', '.ci/release.mjs', ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, line, { cwd: ROOT, encoding: 'utf8', timeout: 60_000 })
  return { status, stdout, stderr }
}

it('release says how it is used, and begins nothing', { timeout: 120_000 }, () => {
  for (const word of ['--help', '-h'])
    expect(release(word)).toEqual({ status: 0, stderr: '', stdout: expect.stringMatching(/^usage: .*--dry-run/) })
})

it('release begins nothing where a word of the line is not known', { timeout: 120_000 }, () => {
  for (const word of ['--dryrun', 'dry-run', '--dry-run=yes'])
    expect(release(word)).toEqual({ status: 2, stdout: '', stderr: expect.stringContaining('usage: npm run release') })
})
