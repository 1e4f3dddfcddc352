import type { Build, Queue } from '@matchyard/client/admin'
import { expect, it } from 'vitest'
import type { Named } from '../src/page/rooms/builds/named'
import { launchedNow } from '../src/page/rooms/builds/versions'

const build = (version: number, more: Partial<Build> = {}) =>
  ({ name: 'arena', version, status: 'ready', disabled: false, ...more }) as Build
const queue = (version?: number) => ({ server_settings: { version_tag: 'arena', version } }) as Queue

const [v3, v2] = [build(3), build(2, { disabled: true })]
const named = (...queues: readonly Queue[]): Named => ({
  ...{ name: 'arena', versions: [v3, v2, build(1, { status: 'failed' })], ready: v3 },
  ...{ queues, servers: [] },
})

it('says what a new match of a build gets, and why some get nothing', () => {
  expect(launchedNow(named())).toEqual({ words: 'v3', isWrong: false })
  expect(launchedNow(named(queue(2)))).toEqual({ words: 'none: v2 is disabled', isWrong: true })
  expect(launchedNow(named(queue(), queue(1), queue(9)))).toEqual({
    words: 'v3; none: v1 has failed; none: there is no v9',
    isWrong: true,
  })
})
