import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The release before this one, which a rolling update has to bear beside it. Until there are tags of releases it is a commit; whoever makes a
 * release puts its tag here, and the number of its migrations of PostgreSQL into `RELEASED_MIGRATIONS` of storage-postgres' tests.
 */
export const RELEASE_BEFORE = '0afc042568d96a65fe13649e3f28d72db46c68f4'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
/** Folders of packages. */
const GROUPS = ['packages', 'examples'] as const

/** Why it cannot be had here; undefined where it can. A clone of continuous integration may be shallow, and an archive has no history. */
export function whyNotHere(): string | undefined {
  const found = spawnSync('git', ['cat-file', '-e', `${RELEASE_BEFORE}^{commit}`], { cwd: ROOT })
  if (found.error !== undefined) return 'there is no git on this machine'
  return found.status === 0 ? undefined : `this clone does not hold the release before (${RELEASE_BEFORE.slice(0, 7)})`
}

export interface Release {
  readonly folder: string
  /** The `matchyard` command of that release, run from its sources. */
  readonly command: readonly string[]
  remove(): void
}

/** Takes its tree out of the history; with the dependencies that are installed here, or its own where those are others. */
export function checkOutReleaseBefore(): Release {
  const folder = mkdtempSync(join(tmpdir(), 'matchyard-release-'))
  const archive = execFileSync('git', ['archive', RELEASE_BEFORE], { cwd: ROOT, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  if (needsNothingElse(folder)) linkDependencies(folder)
  else installDependencies(folder)
  const run = ['--conditions=@matchyard/source', '--import', join(folder, 'node_modules/tsx/dist/loader.mjs')]
  return {
    folder,
    command: [...run, join(folder, 'packages/server/src/cli.ts')],
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }),
  }
}

interface Manifest {
  readonly packageManager: string
  readonly dependencies?: Readonly<Record<string, string>>
}

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Whether each of its packages depends on nothing that this tree's package does not. */
function needsNothingElse(folder: string): boolean {
  return readdirSync(join(folder, 'packages')).every((name) => {
    const [theirs, ours] = [join(folder, 'packages', name), join(ROOT, 'packages', name)]
    if (!existsSync(join(theirs, 'package.json'))) return true
    if (!existsSync(join(ours, 'package.json'))) return false
    const here = manifestOf(ours).dependencies ?? {}
    return Object.entries(manifestOf(theirs).dependencies ?? {}).every(([needed, range]) => here[needed] === range)
  })
}

/** Links are relative, so a copy of them leads to the packages of that release, and by way of the root to what is installed here. */
function linkDependencies(folder: string): void {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const group of GROUPS) {
    for (const name of readdirSync(join(folder, group))) {
      const links = join(ROOT, group, name, 'node_modules')
      if (!existsSync(links)) continue
      mkdirSync(join(folder, group, name), { recursive: true })
      cpSync(links, join(folder, group, name, 'node_modules'), { recursive: true, verbatimSymlinks: true })
    }
  }
}

function installDependencies(folder: string): void {
  const { packageManager } = manifestOf(folder)
  const install = ['--yes', packageManager, 'install', '--frozen-lockfile', '--prefer-offline', '--ignore-scripts']
  const { status, stdout, stderr } = spawnSync('npx', install, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`the dependencies of the release before cannot be installed: ${stdout}${stderr}`)
}
