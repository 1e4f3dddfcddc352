import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import type { Containers, FoundContainer } from '../../src/docker/containers'
import { EngineUnavailable } from '../../src/docker/engine'
import { launchMark } from '../../src/docker/labels'
import { Layout } from '../../src/docker/layout'
import { REMEMBERED, remember } from '../../src/docker/remember'
import { Survey } from '../../src/docker/survey'
import { ReadinessJudge } from '../../src/kit/index'

let folder: string
let layout: Layout
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'containers-'))
  layout = new Layout(folder)
  await layout.prepare()
})
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))

const line = { at: 1, stream: 'stdout', message: 'x' } as const
const clock = { now: () => 5 }

describe('the kept logs of an ended server', () => {
  it.each([
    ['empty', ''],
    ['cut off', '[{"at":1,'],
    ['null', 'null'],
    ['a number', '7'],
    ['of something else', '[null, 7, {"at":"x"}]'],
  ])('that are %s cost their lines and nothing else', async (_name, text) => {
    await layout.keepEnded({ instanceId: 'srv_1', attempt: 1 }, [line])
    await layout.keepEnded({ instanceId: 'srv_1', attempt: 2 }, [line])
    await writeFile(join(folder, 'ended/srv_1/1.json'), text)
    const kept = await layout.endedLogs('srv_1')
    expect(kept.sort((a, b) => a.attempt - b.attempt).map(({ logs }) => logs)).toEqual([[], [line]])
  })

  it('are written again over a folder in their place', async () => {
    await mkdir(join(folder, 'ended/srv_1/1.json/x'), { recursive: true })
    expect((await layout.endedLogs('srv_1')).map(({ logs }) => logs)).toEqual([[]])
    await layout.keepEnded({ instanceId: 'srv_1', attempt: 1 }, [line])
    expect((await layout.endedLogs('srv_1')).map(({ logs }) => logs)).toEqual([[line]])
  })

  it('are those of its ten newest attempts', async () => {
    for (let attempt = 1; attempt <= 25; attempt++) await layout.keepEnded({ instanceId: 'srv_1', attempt }, [line])
    expect((await layout.endedAttempts('srv_1')).sort((a, b) => a - b)).toEqual([
      16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
    ])
    expect(await readdir(join(folder, 'ended/srv_1'))).toHaveLength(10)
  })

  it('are those of the newest instances, and a tenth more at times', async () => {
    for (let i = 0; i < 22; i++) await layout.keepEnded({ instanceId: `srv_${i}`, attempt: 1 }, [])
    await layout.pruneEnded(20)
    expect(await readdir(join(folder, 'ended'))).toHaveLength(22)
    await layout.keepEnded({ instanceId: 'srv_22', attempt: 1 }, [])
    await layout.pruneEnded(20)
    expect(await readdir(join(folder, 'ended'))).toHaveLength(20)
  })
})

describe('a container that the engine lists and cannot tell about', () => {
  const found = (id: string, state: string): FoundContainer => ({
    ...{
      id,
      state,
      instanceId: `srv_${id}`,
      fronts: [],
      attempt: 1,
      createdAt: 0,
      sources: [],
      tierSize: { cpus: 1, memoryGib: 1 },
    },
  })
  const told = {
    State: { Running: false, StartedAt: '2026-01-01T00:00:00Z', FinishedAt: '2026-01-01T00:00:01Z', ExitCode: 3 },
  }
  const surveyOf = (trouble: Error) => {
    const inspect = (id: string) => async () => {
      if (id.startsWith('broken')) throw trouble
      return told
    }
    const containers = {
      list: async () => [found('broken1', 'running'), found('broken2', 'exited'), found('whole', 'exited')],
      of: ({ id }: FoundContainer) => ({ inspect: inspect(id) }),
    } as unknown as Containers
    return new Survey(containers, layout, clock, new ReadinessJudge(() => {}))
  }

  it('is told as the list has it, and every other one as it is', async () => {
    const seen = await surveyOf(Object.assign(new Error('corrupt'), { statusCode: 500 })).observe()
    expect(seen.map(({ instanceId, state, exit }) => [instanceId, state, exit?.code])).toEqual([
      ['srv_broken1', 'starting', undefined],
      ['srv_broken2', 'exited', null],
      ['srv_whole', 'exited', 3],
    ])
  })

  it('says nothing where the engine is away', async () => {
    await expect(surveyOf(new EngineUnavailable('away')).observe()).rejects.toThrow(EngineUnavailable)
  })
})

test.each([
  ['../x', '1'],
  ['', '1'],
  ['srv_1', 'x'],
  ['srv_1', '-1'],
  ['srv_1', ''],
])('a container labelled %j %j is no game server', (instance, attempt) => {
  expect(launchMark({ 'matchyard.instance': instance, 'matchyard.attempt': attempt })).toBeUndefined()
})

test('no more builds and images are remembered than a thousand', () => {
  const map = new Map<number, number>()
  for (let i = 0; i < REMEMBERED + 5; i++) remember(map, i, i)
  expect(map.size).toBe(REMEMBERED)
  expect(map.has(4)).toBe(false)
  expect(map.has(5)).toBe(true)
})
