import { ALL_REGIONS } from '@matchyard/core'
import { expect, test } from 'vitest'
import { regionsSeen } from '../src/doctor/storage-checks'

const report = (id: string, regions: readonly string[], at = 1_000) => ({
  report: JSON.stringify([id, regions, {}, { servers: 0, cpus: 0, memoryMb: 0 }]),
  at,
})

test('several machines that run servers of every region are told, and those that are gone are not', () => {
  const one = [report('a', ALL_REGIONS), report('b', ['fra']), report('gone', ALL_REGIONS, -70_000)]
  expect(regionsSeen(one, 2_000)).toMatchObject({ status: 'ok' })
  expect(regionsSeen([...one, report('c', ALL_REGIONS)], 2_000)).toMatchObject({
    status: 'warn',
    message: '2 machines run servers of every region: a, c',
  })
})
