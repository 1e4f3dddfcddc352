import { expect, it } from 'vitest'
import { fileBuildStore } from '../../src/fs/index'

it.each([
  [{ folder: '/tmp' }, 'fileBuildStore: there is no option "folder"; the options are directory, shared, limits'],
  [{ directory: '/tmp', share: false }, 'fileBuildStore: there is no option "share"; did you mean shared?'],
  [
    { directory: '/tmp', limits: { entrys: 1 } },
    'fileBuildStore, limits: there is no option "entrys"; did you mean entries?',
  ],
])('an option that nobody knows is refused: %j', (options, message) => {
  expect(() => fileBuildStore(options as never)).toThrow(new TypeError(message))
})
