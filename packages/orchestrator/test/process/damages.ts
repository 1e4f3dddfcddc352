import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const HUGE_BYTES = 1024 ** 3

/** Kinds of damage to a file, by name: by a power cut, a full disk, another program or a user. */
export const DAMAGES: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  empty: (path) => writeFile(path, ''),
  'cut off': async (path) => {
    const text = await readFile(path, 'utf8').catch(() => '{"pid":12')
    await writeFile(path, text.slice(0, Math.floor(text.length / 2)))
  },
  'zeros, as a disk leaves them after a power cut': (path) => writeFile(path, Buffer.alloc(200)),
  'the text null': (path) => writeFile(path, 'null'),
  'a list': (path) => writeFile(path, '[]'),
  'a number': (path) => writeFile(path, '7'),
  'an object of something else': (path) => writeFile(path, '{"pid":-1,"closed":"no","main":{"pid":1},"cgroups":7}'),
  'of a gigabyte': async (path) => {
    await writeFile(path, '{')
    await truncate(path, HUGE_BYTES)
  },
  'a folder': async (path) => {
    await rm(path, { force: true })
    await mkdir(path)
    await writeFile(`${path}/inside`, 'x')
  },
  'a pipe that nobody writes to': async (path) => {
    await rm(path, { force: true })
    await promisify(execFile)('mkfifo', [path])
  },
  'not there': (path) => rm(path, { force: true }),
}
