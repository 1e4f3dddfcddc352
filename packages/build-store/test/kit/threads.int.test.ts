import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { temporaryFolder } from '@matchyard/tooling/temporary-folder'
import { expect, test, vi } from 'vitest'
import { ARCHIVE_LIMITS } from '../../src/kit/limits'
import { ArchiveThread, IDLE_MS } from '../../src/kit/worker/archive-thread'
import { ArchiveThreads } from '../../src/kit/worker/archive-threads'
import type { ArchiveTask } from '../../src/kit/worker/messages'
import { PROGRAM, zipOf } from '../../src/testing/index'

async function archive(folder: string, buildId: string, bytes = 10): Promise<ArchiveTask> {
  const file = join(folder, `${buildId}.zip`)
  await writeFile(
    file,
    await zipOf([
      { name: 'server', content: PROGRAM },
      { name: 'data', content: Buffer.alloc(bytes) },
    ]),
  )
  return { kind: 'inspect', file, executablePath: 'server', limits: ARCHIVE_LIMITS }
}

/** Whether `holds` becomes true within 30 seconds while this thread is blocked, with its event loop. */
function comesToHold(holds: () => boolean): boolean {
  const nap = new Int32Array(new SharedArrayBuffer(4))
  for (let looks = 0; looks < 3_000; looks++) {
    if (holds()) return true
    Atomics.wait(nap, 0, 0, 10)
  }
  return false
}

test('an archive is unpacked though the event loop stands still: none of it is its work', async () => {
  const folder = await temporaryFolder()
  const inspection = await archive(folder, 'bld_1')
  const threads = new ArchiveThreads(0, 1)
  // The start of a thread needs the event loop; its work does not.
  await threads.run(inspection, 1)
  const directory = join(folder, 'out')
  await mkdir(directory)
  const unpacking = threads.run({ ...inspection, kind: 'unpack', directory }, 1)
  expect(comesToHold(() => existsSync(join(directory, 'data')))).toBe(true)
  await unpacking
})

test('archives wait for a thread, the smallest goes next, and each has its own end', async () => {
  const folder = await temporaryFolder()
  const threads = new ArchiveThreads(0, 1)
  const ends: string[] = []
  const run = async (name: string, bytes: number) => {
    const task = await archive(folder, name)
    return () => threads.run(task, bytes).then((verdict) => ends.push(`${name} ${verdict?.ok}`))
  }
  const runs = await Promise.all([run('first', 50), run('large', 900), run('small', 1), run('middle', 30)])
  const missing = { ...(await archive(folder, 'gone')), file: join(folder, 'nowhere.zip') }
  await Promise.all([
    ...runs.map((begin) => begin()),
    expect(threads.run(missing, 40)).rejects.toMatchObject({ code: 'ENOENT' }),
  ])
  expect(ends).toEqual(['first true', 'small true', 'middle true', 'large true'])
})

test('lines of the log come in order and before the verdict; a listener that throws ends its own work alone', async () => {
  const folder = await temporaryFolder()
  const task = await archive(folder, 'bld_1')
  const threads = new ArchiveThreads(0, 1)
  const lines: string[] = []
  const verdict = await threads.run(task, 1, (level, message) => lines.push(`${level} ${message.split(' ')[0]}`))
  expect([verdict?.ok, lines]).toEqual([true, ['info checking', 'info the', 'info accepted:']])
  const thrown = new Error('no more lines')
  const throwing = () => {
    throw thrown
  }
  await expect(threads.run(task, 1, throwing)).rejects.toBe(thrown)
  expect((await threads.run(task, 1))?.ok).toBe(true)
})

test('an archive that comes while the idle thread is being ended has another one', async () => {
  const task = await archive(await temporaryFolder(), 'bld_1')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const thread = new ArchiveThread(0)
    for (let times = 0; times < 3; times++) {
      expect((await thread.run(task, () => {}))?.ok).toBe(true)
      vi.advanceTimersByTime(IDLE_MS)
    }
  } finally {
    vi.useRealTimers()
  }
})

/**
 * Returns the stat line of a thread; undefined when the thread has ended since it was listed. Opening the file or
 * reading it can fail then.
 */
function statOf(thread: string): string | undefined {
  try {
    return readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes(String((error as NodeJS.ErrnoException).code))) throw error
    return undefined
  }
}

/** Returns the number of this process's threads for each priority. */
function priorities(): Map<number, number> {
  const counted = new Map<number, number>()
  for (const thread of readdirSync('/proc/self/task')) {
    const stat = statOf(thread)
    if (stat === undefined) continue
    // The thread's name, in parentheses, may hold any character. Index 16 of the words after it is the thread's "nice"
    // value (proc(5)).
    const nice = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
    counted.set(nice, (counted.get(nice) ?? 0) + 1)
  }
  return counted
}

test.runIf(process.platform === 'linux')(
  'a thread that checks lets others go first, alone of all threads',
  async () => {
    const task = await archive(await temporaryFolder(), 'bld_1')
    const before = priorities()
    const [own, low] = [getPriority(), getPriority() + 3]
    const thread = new ArchiveThread(low)
    expect((await thread.run(task, () => {}))?.ok).toBe(true)
    expect(priorities().get(low)).toBe((before.get(low) ?? 0) + 1)
    expect(getPriority()).toBe(own)
  },
)
