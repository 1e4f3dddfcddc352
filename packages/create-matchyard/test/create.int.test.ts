import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))
const COMMAND = join(PACKAGE, 'bin', 'create-matchyard.mjs')
const scratch = mkdtempSync(join(tmpdir(), 'create-matchyard-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))

const empty = () => mkdtempSync(join(scratch, 'empty-'))
/** Command of the clone, after it has built the packages. */
const OF_CLONE = join(PACKAGE, '..', 'tooling', 'src', 'create', 'game.mjs')
/** Runs the command as `npm create matchyard` does. */
const run = (cwd: string, args: readonly string[] = [], node: readonly string[] = []) =>
  spawnSync(process.execPath, [...node, COMMAND, ...args], { cwd, encoding: 'utf8' })

/**
 * Returns the compiler's errors in the game's own files. It ignores errors in the sources of the packages, which the
 * game's laxer settings do not suit and which may have been built without declarations.
 */
function typeFaults(folder: string): string[] {
  const compiler = join(folder, 'node_modules', 'typescript', 'bin', 'tsc')
  const args = [compiler, '--pretty', 'false', '--customConditions', '@matchyard/source']
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  return stdout.split('\n').filter((line) => /^\w+\/[\w-]+\.ts\(/.test(line))
}

describe('npm run create, in a clone', () => {
  it('makes a game whose types hold, whose tests pass and whose first match happens', { timeout: 240_000 }, () => {
    const place = empty()
    const env = { ...process.env, INIT_CWD: place }
    const made = spawnSync(process.execPath, [OF_CLONE, 'My Game!'], { cwd: PACKAGE, encoding: 'utf8', env })
    expect(made.stderr).toBe('')
    expect(made.stdout).toContain('  cd "My Game!"\n  npm test ')
    const folder = join(place, 'My Game!')
    expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toMatchObject({
      name: 'my-game',
      private: true,
    })
    expect(readdirSync(folder)).toContain('.gitignore')
    expect(readdirSync(folder)).not.toContain('_gitignore')
    // A planted type error shows that the compiler checks this file.
    writeFileSync(join(folder, 'game', 'wrong.ts'), "export const wrong: number = ''\n")
    expect(typeFaults(folder)).toEqual([expect.stringContaining('game/wrong.ts')])
    rmSync(join(folder, 'game', 'wrong.ts'))
    const { NODE_OPTIONS, NODE_TEST_CONTEXT, ...rest } = process.env
    const tested = spawnSync('npm', ['test'], { cwd: folder, encoding: 'utf8', env: rest })
    expect(tested.stdout + tested.stderr).toMatch(/# pass 5\n# fail 0|pass 5\n.*fail 0/)
    expect(tested.status).toBe(0)
  })
})

describe('npm create matchyard', () => {
  it('asks for what it uses in the versions that are there', () => {
    const { dependencies } = JSON.parse(readFileSync(join(PACKAGE, 'template', 'package.json'), 'utf8'))
    for (const [name, range] of Object.entries(dependencies)) {
      const { version } = JSON.parse(readFileSync(join(PACKAGE, 'node_modules', name, 'package.json'), 'utf8'))
      const [major, minor] = version.split('.')
      expect(range, name).toMatch(major === '0' ? `^${major}.${minor}.` : `^${major}.`)
    }
  })

  it('takes a repository that was just made, and the folder where one is', () => {
    const here = empty()
    mkdirSync(join(here, '.git'))
    writeFileSync(join(here, '.gitignore'), 'mine\n')
    expect(run(here, ['.']).status).toBe(0)
    expect(readFileSync(join(here, '.gitignore'), 'utf8')).toBe('mine\n')
    expect(existsSync(join(here, 'package.json'))).toBe(true)
    const place = empty()
    expect(run(place)).toMatchObject({ status: 0, stdout: expect.stringContaining('  cd my-game\n  npm install\n') })
    expect(readdirSync(place)).toEqual(['my-game'])
  })

  it('refuses a folder with something in it, and a file, and writes nothing', () => {
    const place = empty()
    mkdirSync(join(place, 'full'))
    for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(place, 'full', name), '')
    writeFileSync(join(place, 'file'), '')
    const full = run(place, ['full'])
    expect([full.status, full.stdout]).toEqual([1, ''])
    expect(full.stderr).toBe(
      `${join(place, 'full')} is not empty (a, b, c and 1 more); name a folder that is empty or not there yet\n`,
    )
    expect(readdirSync(join(place, 'full'))).toHaveLength(4)
    const file = run(place, ['file'])
    expect([file.status, file.stderr]).toEqual([
      1,
      `${join(place, 'file')} is a file; name a folder that is empty or not there yet\n`,
    ])
    expect(run(place, [join('file', 'below')]).stderr).toMatch(/^.*below cannot be written: .*\n$/)
  })

  it('says what it takes to who asks or errs', () => {
    const place = empty()
    expect(run(place, ['--help'])).toMatchObject({ status: 0, stdout: 'usage: npm create matchyard <folder>\n' })
    expect(run(place, ['one', 'two']).stderr).toContain('one folder is enough: one, two\nusage:')
    expect(run(place, ['--template', 'x'])).toMatchObject({ status: 2, stdout: '' })
    expect(readdirSync(place)).toEqual([])
  })

  it.each(['18.20.4', '20.18.3', '21.7.3', '22.11.0'])('tells Node %s that it is too old, in a sentence', (version) => {
    const place = empty()
    const old = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`
    const refused = run(place, ['game'], ['--import', `data:text/javascript,${encodeURIComponent(old)}`])
    expect(refused.stderr).toBe(
      `create-matchyard needs Node 20.19+ or 22.12+; this is ${version}. Get one at https://nodejs.org\n`,
    )
    expect(refused.status).toBe(1)
    expect(readdirSync(place)).toEqual([])
  })
})
