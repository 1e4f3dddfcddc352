import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SMALL_FILE_BYTES } from '../../src/kit/index'
import { AttemptFiles } from '../../src/process/attempt-files'
import { attemptState } from '../../src/process/attempt-state'
import { Layout } from '../../src/process/layout'
import { readLogs } from '../../src/process/logs'
import { DAMAGES } from './damages'

const BOOT = 'a boot'
const identity = { bootId: BOOT, pid: 4_194_303, startTime: '1' } // no process has this number
const WHOLE = {
  'plan.json': { command: '/x', args: [], cwd: '/', env: {}, sandboxed: false, cgroups: [], logBytes: 1 },
  'record.json': {
    ...{ instanceId: 'srv_1', attempt: 1, buildId: 'bld_1', bootId: BOOT, createdAt: 1 },
    ...{ tcpPorts: [{ host: '127.0.0.1', port: 1 }], cgroups: [] },
  },
  'claim.json': identity,
  'status.json': { at: 1, main: identity, inner: null },
  'exit.json': { code: 0, signal: null, at: 1 },
  'failed.json': { code: null, message: 'x' },
  'stop.json': { graceMs: 1 },
  'ready.json': { at: 1 },
} as const
type Name = keyof typeof WHOLE
const NAMES = Object.keys(WHOLE) as Name[]

let folder: string
let files: AttemptFiles
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attempt-'))
  await mkdir(join(folder, '1'))
  files = new AttemptFiles(join(folder, '1'), 'srv_1', 1)
  for (const name of NAMES) await files.write(name, WHOLE[name])
})
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))

const machine = { bootId: BOOT, scan: async () => [] }

describe.each(NAMES)('%s', (name) => {
  it('is read as it was written, and nothing is left beside it', async () => {
    expect(await files.look(name)).toEqual(WHOLE[name])
    expect((await readdir(files.directory)).sort()).toEqual([...NAMES].sort())
  })

  it.each(Object.keys(DAMAGES))(
    'that is %s is told as such, and judged without; written again it is whole',
    async (kind) => {
      await DAMAGES[kind]?.(files.path(name))
      expect(await files.look(name)).toBe(kind === 'not there' ? undefined : 'damaged')
      expect(await files.read(name)).toBeUndefined()
      expect(await attemptState(files, machine)).toMatchObject({ kind: 'exited' })
      await files.write(name, WHOLE[name])
      expect(await files.look(name)).toEqual(WHOLE[name])
    },
  )

  it('larger than any such file is not read', async () => {
    await writeFile(files.path(name), JSON.stringify(WHOLE[name]).padEnd(SMALL_FILE_BYTES))
    expect(await files.look(name)).toEqual(WHOLE[name])
    await writeFile(files.path(name), JSON.stringify(WHOLE[name]).padEnd(SMALL_FILE_BYTES + 1))
    expect(await files.look(name)).toBe('damaged')
  })
})

it.each([0, 1, -1, -5, 1.5])('a process id of %s, which would mean every process, is none', async (pid) => {
  await writeFile(files.path('claim.json'), JSON.stringify({ ...identity, pid }))
  expect(await files.look('claim.json')).toBe('damaged')
})

it('a launch of which the claim alone is gone was launched', async () => {
  await rm(files.path('claim.json'))
  await rm(files.path('exit.json'))
  expect(await attemptState(files, machine)).toMatchObject({ kind: 'exited', exit: { reason: 'files_damaged' } })
  expect(JSON.parse(await readFile(files.path('exit.json'), 'utf8'))).toMatchObject({ reason: 'files_damaged' })
})

describe('what is kept', () => {
  it('of an instance that is restarted without end are its ten newest processes', async () => {
    const layout = new Layout(join(folder, 'data'))
    await layout.prepare()
    for (let attempt = 1; attempt <= 25; attempt++) {
      await mkdir(layout.attempt('srv_1', attempt).directory, { recursive: true })
      await layout.end('srv_1')
    }
    const kept = (await layout.endedAttempts('srv_1')).map(({ attempt }) => attempt)
    expect(kept).toEqual([16, 17, 18, 19, 20, 21, 22, 23, 24, 25])
  })

  it('of ended instances are the newest, and a tenth more at times', async () => {
    const layout = new Layout(join(folder, 'data'))
    await layout.prepare()
    for (let instance = 0; instance < 22; instance++) await mkdir(join(layout.ended, `srv_${instance}`))
    await layout.prune(20)
    expect(await readdir(layout.ended)).toHaveLength(22)
    await mkdir(join(layout.ended, 'srv_22'))
    await layout.prune(20)
    expect(await readdir(layout.ended)).toHaveLength(20)
  })
})

describe('the logs', () => {
  const line = (t: number, m: string) => JSON.stringify({ t, s: 'o', m, p: 0 })
  const query = { limit: 3, journalBytes: 1_000 }

  it('are read from the newest process back, and no further than asked', async () => {
    const older = new AttemptFiles(join(folder, 'older'), 'srv_1', 0)
    await mkdir(older.directory)
    await writeFile(older.path('journal.log'), `${line(1, 'a')}\n${line(2, 'b')}\n`)
    await writeFile(files.path('journal.log'), `${line(3, 'c')}\n${line(4, 'd')}\n`)
    const asked: number[] = []
    const isFollowed = async ({ attempt }: AttemptFiles) => asked.push(attempt) > 0
    const read = (limit: number) => readLogs([older, files], isFollowed, { ...query, limit })
    expect((await read(2)).map(({ message }) => message)).toEqual(['c', 'd'])
    expect(asked).toEqual([1])
    expect((await read(3)).map(({ message }) => message)).toEqual(['b', 'c', 'd'])
  })

  it('are read from the end of a journal that is larger than any supervisor writes', async () => {
    await writeFile(files.path('journal.log'), `${line(1, 'x'.repeat(2_000))}\n${line(2, 'last')}\n`)
    const lines = await readLogs([files], async () => true, query)
    expect(lines.map(({ message }) => message)).toEqual(['last'])
  })

  it('leave out rows that are none', async () => {
    const rows = ['null', '[]', '7', '{"t":"x"}', '{"t":1,"s":"q","m":"x","p":0}', line(9, 'a line'), '{"t":']
    await writeFile(files.path('journal.log'), rows.join('\n'))
    expect(await readLogs([files], async () => true, query)).toEqual([{ at: 9, stream: 'stdout', message: 'a line' }])
  })
})

it('a claim is closed once, whatever stands there', async () => {
  await rm(files.path('claim.json'))
  expect(await files.closeClaim()).toBe(true)
  expect(await files.closeClaim()).toBe(false)
  await DAMAGES['a folder']?.(files.path('claim.json'))
  expect(await files.closeClaim()).toBe(false)
  expect(existsSync(files.path(`claim.json.${process.pid}.service`))).toBe(false)
})
