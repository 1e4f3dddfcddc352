import { BUILD_STATUSES, type Build } from '@matchyard/core'
import { describe, expect, test } from 'vitest'
import { MAX_BUILD_LOG_LINES } from '../../src/build/build'
import { keptLogs } from '../../src/build/build-logs'
import {
  beginUpload,
  claimUpload,
  completeUpload,
  decideBuildDrained,
  decideDeleteBuild,
  decideExpireUpload,
  finishProcessing,
  releaseUpload,
  switchBuild,
} from '../../src/build/decide'
import type { BuildEvent } from '../../src/build/events'
import { canMoveBuild, evolveBuild, isCounted } from '../../src/build/evolve'
import { BUILD_TRANSITIONS } from '../../src/build/transitions'
import { MAX_BUILD_LOG_BYTES } from '../../src/catalog/limits'
import { aBuild } from './build'

const at = 500
const claimed = aBuild({ uploadExpiresAt: null, sizeBytes: 7 })
const processing = aBuild({ status: 'processing', uploadExpiresAt: null })
const rejected = { ok: false, rejected: { code: 'UPLOAD_REJECTED' } }
const after = (build: Build, events: readonly BuildEvent[]) => events.reduce(evolveBuild, build)

describe('the table of the specification', () => {
  const rows = new Map(BUILD_TRANSITIONS.map(({ from, trigger, to }) => [`${from} ${trigger}`, to]))

  test('holds the rows of the specification', () => {
    expect(rows.get('null request_upload')).toBe('uploading')
    expect(rows.get('uploading complete_upload')).toBe('processing')
    expect(rows.get('processing succeed')).toBe('ready')
    expect(rows.get('processing fail')).toBe('failed')
  })

  test('nothing follows deleted, and everything else can be deleted', () => {
    for (const status of BUILD_STATUSES) {
      expect(canMoveBuild(aBuild({ status }), 'delete')).toBe(status !== 'deleted')
    }
    expect(BUILD_TRANSITIONS.map(({ from }) => from)).not.toContain('deleted')
  })

  test('only failed and deleted builds do not count', () => {
    expect(BUILD_STATUSES.filter((status) => isCounted({ status }))).toEqual(['uploading', 'processing', 'ready'])
  })
})

describe('an upload', () => {
  test('begins while the URL is unspent and its time is not over', () => {
    expect(beginUpload(aBuild(), { expiresAt: 1_000, at })).toEqual({ ok: true, events: [] })
    expect(beginUpload(aBuild(), { expiresAt: 1_000, at: 1_000 })).toMatchObject(rejected)
    expect(beginUpload(claimed, { expiresAt: 1_000, at })).toMatchObject(rejected)
    expect(beginUpload(undefined, { expiresAt: 1_000, at })).toMatchObject(rejected)
    // The URL was signed with another expiry: of another build, or of this one before its upload was released.
    expect(beginUpload(aBuild(), { expiresAt: 2_000, at })).toMatchObject(rejected)
  })

  test('is claimed once, released when it broke, completed when it is in place', () => {
    expect(claimUpload(aBuild(), { sizeBytes: 7 })).toEqual({
      ok: true,
      events: [{ type: 'upload_claimed', sizeBytes: 7 }],
    })
    expect(claimUpload(claimed, { sizeBytes: 7 })).toMatchObject(rejected)
    expect(after(aBuild(), [{ type: 'upload_claimed', sizeBytes: 7 }])).toEqual(claimed)
    expect(after(claimed, [{ type: 'upload_released', expiresAt: 1_000 }])).toEqual(aBuild())
    expect(after(claimed, [{ type: 'upload_completed' }])).toMatchObject({ status: 'processing', sizeBytes: 7 })
    expect(completeUpload(aBuild())).toMatchObject(rejected)
  })

  test.each(['processing', 'ready', 'failed', 'deleted'] as const)(
    'comes too late for a build that is %s',
    (status) => {
      const late = aBuild({ status, uploadExpiresAt: null })
      expect(beginUpload(late, { expiresAt: 1_000, at })).toMatchObject(rejected)
      expect(claimUpload(aBuild({ status }), { sizeBytes: 7 })).toMatchObject(rejected)
      // A job may find the archive before the upload itself is completed.
      const noticed = status === 'processing' || status === 'ready'
      expect(completeUpload(late)).toMatchObject(noticed ? { ok: true, events: [] } : rejected)
      expect(releaseUpload(late, { expiresAt: 1_000 })).toEqual({ ok: true, events: [] })
      expect(decideExpireUpload(late, { hasArchive: true, at })).toEqual([])
    },
  )

  test('that never came fails its build when its time is over', () => {
    expect(decideExpireUpload(aBuild(), { hasArchive: false, at: 999 })).toEqual([])
    const events = decideExpireUpload(aBuild(), { hasArchive: false, at: 1_000 })
    expect(after(aBuild(), events)).toMatchObject({
      status: 'failed',
      errorMessage: 'upload expired',
      uploadExpiresAt: null,
    })
  })

  test('that its process left behind goes on where the archive is in place', () => {
    expect(after(claimed, decideExpireUpload(claimed, { hasArchive: true, at }))).toMatchObject({
      status: 'processing',
    })
    expect(after(claimed, decideExpireUpload(claimed, { hasArchive: false, at }))).toMatchObject({ status: 'failed' })
  })
})

describe('processing', () => {
  const logs = [{ at, level: 'info', message: 'looked' }] as const

  test('keeps of a long output its head and its tail, in bytes too', () => {
    const line = (n: number) => ({ at, level: 'info', message: `${n}`.padEnd(1_900, '\u0001') }) as const
    const long = Array.from({ length: 900 }, (_, n) => line(n))
    const result = { ok: true, sizeBytes: null, imageDigest: 'arena@sha256:1' } as const
    const { logs: kept } = after(processing, finishProcessing(processing, { result, logs: long }))
    expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThanOrEqual(MAX_BUILD_LOG_BYTES)
    expect(kept[0]).toEqual(long[0])
    expect(kept.at(-1)).toEqual(long.at(-1))
    expect(kept.filter(({ message }) => message.endsWith('lines cut …'))).toHaveLength(1)
    // A log that was cut already is not cut again.
    expect(keptLogs(kept)).toEqual(kept)
  })

  test('ends ready', () => {
    const result = { ok: true, sizeBytes: null, imageDigest: 'arena@sha256:1' } as const
    expect(after(processing, finishProcessing(processing, { result, logs }))).toMatchObject({
      status: 'ready',
      imageDigest: 'arena@sha256:1',
      errorMessage: null,
      logs,
    })
  })

  test('ends failed with a short reason', () => {
    const result = { ok: false, message: `  ${'no '.repeat(400)}` } as const
    const failed = after(processing, finishProcessing(processing, { result, logs }))
    expect(failed.status).toBe('failed')
    expect(failed.errorMessage).toHaveLength(500)
  })

  test.each(['uploading', 'ready', 'failed', 'deleted'] as const)(
    'of a build that is %s by now changes nothing',
    (status) => {
      const result = { ok: true, sizeBytes: 1, imageDigest: null } as const
      expect(finishProcessing(aBuild({ status }), { result, logs })).toEqual([])
    },
  )

  test('keeps the head and the tail of a long output', () => {
    const lines = Array.from({ length: 3_000 }, (_, n) => ({ at: n, level: 'info', message: `${n}` }) as const)
    const kept = keptLogs(lines)
    expect(kept).toHaveLength(MAX_BUILD_LOG_LINES)
    expect([kept[0]?.message, kept.at(-1)?.message]).toEqual(['0', '2999'])
    expect(kept.find(({ level }) => level === 'warn')?.message).toContain('2001 lines cut')
    expect(keptLogs(lines.slice(0, 1_000))).toEqual(lines.slice(0, 1_000))
  })
})

describe('the switches of a build', () => {
  const [ready, disabled] = [aBuild({ status: 'ready' }), aBuild({ status: 'ready', disabled: true })]
  const drained = aBuild({ status: 'ready', disabled: true, drainingSince: 3, drainedAt: null })
  const typesOf = (build: Parameters<typeof switchBuild>[0], switches: Parameters<typeof switchBuild>[1]) => {
    const decision = switchBuild(build, switches, at)
    return decision.ok ? decision.events.map(({ type }) => type) : decision.rejected.code
  }

  test('disable and drain it, and enabling ends a drain', () => {
    expect(typesOf(ready, {})).toEqual([])
    expect(typesOf(ready, { disabled: true })).toEqual(['build_disabled'])
    expect(typesOf(ready, { drain: true })).toEqual(['build_disabled', 'build_drain_begun'])
    expect(typesOf(ready, { drain: false })).toEqual([])
    expect(typesOf(disabled, { drain: true })).toEqual(['build_drain_begun'])
    expect(typesOf(drained, { drain: true })).toEqual([])
    expect(typesOf(drained, { disabled: true })).toEqual([])
    expect(typesOf(drained, { drain: false })).toEqual(['build_drain_ended'])
    expect(typesOf(drained, { disabled: false })).toEqual(['build_enabled', 'build_drain_ended'])
    expect(typesOf(ready, { disabled: false, drain: true })).toBe('VALIDATION_FAILED')
    expect(typesOf(aBuild({ status: 'deleted' }), { drain: true })).toBe('BUILD_NOT_FOUND')
  })

  test('record once that no server is left', () => {
    expect(decideBuildDrained(drained, at)).toEqual([{ type: 'build_drained', at }])
    expect(decideBuildDrained({ ...drained, drainedAt: 4 }, at)).toEqual([])
    expect(decideBuildDrained(disabled, at)).toEqual([])
    expect(decideBuildDrained({ ...drained, status: 'deleted' }, at)).toEqual([])
  })
})

test('a second deletion finds nothing', () => {
  expect(decideDeleteBuild(aBuild({ status: 'deleted' }))).toMatchObject({
    ok: false,
    rejected: { code: 'BUILD_NOT_FOUND' },
  })
  expect(after(aBuild(), [{ type: 'build_deleted' }])).toMatchObject({ status: 'deleted', uploadExpiresAt: null })
})
