import { existsSync, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sqlitePathOf } from '../config/database-url'
import { fillsInWords, whatFills } from '../service/what-fills'
import { type Check, type Finding, fail, ok, warn } from './check'

const GIB = 1024 ** 3
const WANTED_BYTES = 5 * GIB
const NEEDED_BYTES = GIB / 4

/** Returns the folder itself or, if it does not exist, its nearest parent folder that exists. */
function nearestExisting(directory: string): string {
  let folder = directory
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

/**
 * Checks whether a folder is writable by writing a file, because permissions do not show a read-only disk, an ACL or a
 * full quota. Removes the file afterwards.
 */
function writable(directory: string): Finding {
  try {
    rmSync(mkdtempSync(join(nearestExisting(directory), '.doctor-')), { recursive: true })
    return ok(existsSync(directory) ? `${directory} is writable` : `${directory} can be made`)
  } catch (error) {
    return fail(`${directory} is not writable (${(error as NodeJS.ErrnoException).code})`)
  }
}

const dataFolder: Check = {
  name: 'data-folder',
  mend: 'give it to the user of the service (chown), or name another one with MATCHYARD_DATA',
  look: ({ config }) => writable(config.dataDirectory),
}

const dataPrivacy: Check = {
  name: 'data-privacy',
  mend: 'chmod 700 the data folder',
  look({ config: { dataDirectory } }) {
    if (!existsSync(dataDirectory)) return ok('the data folder will be made for its owner alone')
    const mode = statSync(dataDirectory).mode & 0o777
    const shown = mode.toString(8)
    if ((mode & 0o077) === 0) return ok(`only its owner may enter the data folder (${shown})`)
    return warn(
      `other users may enter the data folder (${shown}), which holds password hashes`,
      `chmod 700 ${dataDirectory}`,
    )
  },
}

const databasePrivacy: Check = {
  name: 'database-privacy',
  mend: 'chmod 600 the SQLite file',
  look({ config: { databaseUrl } }) {
    const file = sqlitePathOf(databaseUrl)
    if (file === undefined || !existsSync(file)) return ok('no SQLite file that others could read')
    const isPrivate = (path: string) => (statSync(path).mode & 0o077) === 0
    if (isPrivate(file) || isPrivate(dirname(file))) return ok('only its owner can read the SQLite file')
    return warn(`other users may read ${file}, which holds password hashes`, `chmod 600 ${file} ${file}-*`)
  },
}

const demoData: Check = {
  name: 'demo-data',
  mend: 'use another MATCHYARD_DATA for production than for `matchyard dev`',
  look: ({ config: { dataDirectory } }) =>
    existsSync(join(dataDirectory, 'credentials.json'))
      ? warn(`${dataDirectory} is the folder of a \`matchyard dev\`: its demo account would be served`)
      : ok('no demo data'),
}

const disk: Check = {
  name: 'disk',
  mend: 'free some space, or move the data to a larger disk with MATCHYARD_DATA',
  async look({ config: { dataDirectory, databaseUrl } }) {
    const { bavail, bsize } = statfsSync(nearestExisting(dataDirectory))
    const free = bavail * bsize
    const message = `${(free / GIB).toFixed(1)} GiB free`
    if (free < NEEDED_BYTES) return fail(fillsInWords(await whatFills({ dataDirectory, databaseUrl })))
    return free < WANTED_BYTES ? warn(`${message}; builds and logs take more`) : ok(message)
  },
}

const buildStore: Check = {
  name: 'build-store',
  mend: 'give the folder to the user of the service (chown)',
  look: ({ config }) => writable(join(config.dataDirectory, config.buildStore === 's3' ? 'build-cache' : 'builds')),
}

export const DISK_CHECKS: readonly Check[] = [dataFolder, dataPrivacy, databasePrivacy, demoData, disk, buildStore]
