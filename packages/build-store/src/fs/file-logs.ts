import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { KEPT_LOGS_PAGE, type KeptLogEntry, type KeptLogs, StorageUnavailable } from '@matchyard/core/ports'
import { errorCode } from '../kit/index'
import { checkedLogName } from '../kit/log-name'
import { DEAD_AFTER_MS } from './drafts'

const TEXT = '.json'
const DRAFT = '.part'

/** Returns kept logs in a folder: one folder for the first part of a name, and in it one file for each log. */
export function fileLogs(directory: string): KeptLogs {
  const pathOf = (name: string) => join(directory, `${checkedLogName(name)}${TEXT}`)
  return {
    put: (name, text) => inFolder('the log cannot be kept', () => write(pathOf(name), text)),
    get: (name) => inFolder('the kept log cannot be read', () => absent(readFile(pathOf(name), 'utf8'))),
    list: (after = '') => inFolder('the kept logs cannot be listed', () => pageOf(directory, after)),
    remove: (name) => inFolder('the kept log cannot be removed', () => rm(pathOf(name), { force: true })),
  }
}

/**
 * Runs `work`. Converts each error of the file system to StorageUnavailable. Names are checked, so such an error never
 * comes from a name: the disk or the mounted folder is at fault.
 */
async function inFolder<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined) throw error
    throw new StorageUnavailable(`${what}: ${code}`, { cause: error })
  }
}

/** Returns undefined instead of the error for a file or folder that does not exist. */
async function absent<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Writes a draft and renames it, so that no reader sees a part of the text. */
async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomUUID()}${DRAFT}`
  try {
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw error
  }
}

async function pageOf(directory: string, after: string): Promise<readonly KeptLogEntry[]> {
  const page: KeptLogEntry[] = []
  for (const folder of sorted((await absent(readdir(directory))) ?? [])) {
    // All names in this folder are before `after`.
    if (`${folder}/\uffff` < after) continue
    for (const file of sorted((await absent(readdir(join(directory, folder)))) ?? [])) {
      const name = `${folder}/${file.slice(0, -TEXT.length)}`
      if (file.endsWith(DRAFT)) await removeDead(join(directory, folder, file))
      if (!file.endsWith(TEXT) || name <= after) continue
      const found = await absent(stat(join(directory, folder, file)))
      if (found !== undefined) page.push({ name, bytes: found.size })
      if (page.length === KEPT_LOGS_PAGE) return page
    }
  }
  return page
}

/** Returns names in the order in which their paths sort: after a shorter name comes `/`. */
const sorted = (names: readonly string[]): string[] => [...names].sort((a, b) => (`${a}/` < `${b}/` ? -1 : 1))

/** Removes a draft whose process died. */
async function removeDead(draft: string): Promise<void> {
  const found = await absent(stat(draft))
  if (found !== undefined && Date.now() - found.mtimeMs > DEAD_AFTER_MS) await rm(draft, { force: true })
}
