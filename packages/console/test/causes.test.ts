import type { Server } from '@matchyard/client/admin'
import { expect, it } from 'vitest'
import { causesOf } from '../src/page/rooms/servers/causes'

const failed = (version: number, reason: string, at: string) =>
  ({
    ...{ status: 'failed', version_tag: 'arena', build_version: version },
    ...{ stop_reason: reason, stopped_at: at },
  }) as Server

it('failures of one cause are told apart by version, and together whatever numbers the reason holds', () => {
  const causes = causesOf([
    failed(2, 'exited with code 1', '2026-04-01T00:00:03Z'),
    failed(3, 'no answer on port 20411', '2026-04-01T00:00:02Z'),
    failed(3, 'no answer on port 20412', '2026-04-01T00:00:01Z'),
    failed(3, 'exited with code 1', '2026-04-01T00:00:00Z'),
  ])
  expect(causes.map(({ servers }) => servers.map(({ build_version }) => build_version))).toEqual([[2], [3, 3], [3]])
})
